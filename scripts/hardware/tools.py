"""Running the tools."""
import shutil
import subprocess

from hardware.sources import CannotSynthesize


def tool(name, package):
    path = shutil.which(name)
    if path is None:
        raise CannotSynthesize(f"{name} is not installed (Debian: apt-get install --no-install-recommends {package})")
    return path


def run(command, what, folder):
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise CannotSynthesize(f"{what} failed:\n" + "\n".join(said[-12:]))
    return done.stdout
