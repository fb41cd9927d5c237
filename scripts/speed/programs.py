"""Running the programs that are measured."""
import os
import subprocess
import tempfile

from speed.errors import CannotRun


def run(command, what):
    """Runs to the end. Gives back the standard output and the user CPU time, in seconds, of the process and of all that
    it started."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        except OSError as problem:
            raise CannotRun(f"{what} does not start: {problem}") from problem
        try:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise CannotRun(f"{what} failed with exit code {process.returncode}:\n"
                            + err.read().decode(errors="replace").strip())
        return out.read().decode(errors="replace"), usage.ru_utime
