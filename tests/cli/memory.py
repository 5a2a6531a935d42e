"""How much memory a program takes."""
import subprocess
import sys

# A process of its own, since what a process held before exec() counts as the program's.
LAUNCHER = """import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(os.open("err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status), usage.ru_maxrss * 1024)
"""


def measure(command):
    """Exit code and the most memory that the process held, in bytes."""
    said = subprocess.run([sys.executable, "-S", "-c", LAUNCHER] + command, stdout=subprocess.PIPE, check=True).stdout
    return [int(word) for word in said.split()]
