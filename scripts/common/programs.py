"""Programs and their processes, as the checks in this folder's parent start and watch them."""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Every process of a check carries its data directory in its environment, by which a stray one is found.
MARK = "QUINTET_DATA"


def flags(doc):
    """What reads the command line of a script with this text; --help prints it."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(doc.strip())
        sys.exit()
    return argparse.ArgumentParser(usage="see --help", add_help=False)


def quintet():
    """The program under test."""
    path = pathlib.Path(os.environ.get("QUINTET") or ROOT / "target/release/quintet").absolute()
    if not path.exists():
        sys.exit(f"{path} is missing: cargo build --release")
    return str(path)


def games():
    """The names of all games."""
    said = subprocess.run([quintet(), "engine", "--help"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^Games: (.*)$", said, re.MULTILINE)[1].replace(",", " ").split()


def marked(data):
    """The environment of processes that belong to this data directory."""
    return {**os.environ, MARK: str(data)}


def alive(data):
    """The processes that belong to this data directory."""
    mark, found = f"{MARK}={data}".encode(), []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (place / "environ").read_bytes().split(b"\0"):
                found.append(int(place.name))
        except OSError:
            pass
    return found


def status(pid):
    """What the system tells of a process; nothing of one that is gone."""
    try:
        return dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    except OSError:
        return {}


def memory(pid):
    """Resident memory in MB."""
    return int(status(pid).get("VmRSS", "0").split()[0]) / 1000


def children(parent):
    text = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True).stdout
    return [int(a) for a, b in (line.split() for line in text.splitlines()) if int(b) == parent]


def kill_group(process):
    """Ends a process that leads a group, with the group, as a power cut would."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


class Busy:
    """Processes that only keep processors busy, while a `with` lasts."""

    def __init__(self, number):
        self.number, self.running = number, []

    def __enter__(self):
        self.running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.number)]

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()
