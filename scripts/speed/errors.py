"""What the modules of scripts/bench raise."""


class CannotRun(Exception):
    """A sentence for the user."""
