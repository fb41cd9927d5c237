"""Running the programs that are measured."""
import subprocess

from speed.errors import CannotRun


def execute(command, what, **options):
    """Standard output; CannotRun if it does not start or fails."""
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)
    except OSError as problem:
        raise CannotRun(f"{what} does not start: {problem}") from problem
    if done.returncode != 0:
        raise CannotRun(f"{what} failed with exit code {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout
