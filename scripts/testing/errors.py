"""What the modules of scripts/test raise."""


class CannotRun(Exception):
    """A sentence for the user."""
