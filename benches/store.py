"""Measures large stores with a program: python3 benches/store.py PATH/TO/mageyard [SESSIONS] [EPISODES]

One episode is recorded and its folder copied: to a store of SESSIONS sessions (10000), which `find` searches, and to a
session of EPISODES episodes (10000), which `view` opens in a terminal of 120x40 that answers questions at once. Measured
are the time of `find` for a condition that no step meets, half as many sessions beside it; and of `view` the time until the
list of episodes is drawn, the time until the next episode is read and shown, and the peak memory at the first screen and
three seconds later. Of home and of the list of sessions (`view` without a name) over the many sessions: the time until the
sessions are listed, without what is kept of them in the cache folder and with it, and of home also the time until all are
read and from a key to the moved selection. ONLY=home in the environment measures these alone. Each time is the median of five processes with the shortest one in brackets.
"""

import fcntl, os, pathlib, pty, re, select, shutil, signal, statistics, struct, subprocess, sys, tempfile, termios, time

program = str(pathlib.Path(sys.argv[1]).resolve())
sessions = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
episodes = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
root = pathlib.Path(tempfile.mkdtemp())
environment = {"HOME": str(root), "XDG_CONFIG_HOME": str(root / "config"), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
(root / "config").mkdir()


def record():
    """Records one episode, and returns the folder of its session."""
    arguments = [program, "run", "sokoban/mini/1", "--agent", "oracle", "--setting", "online", "--store", str(root / "one")]
    subprocess.run(arguments, cwd=root, env=environment, stdout=subprocess.DEVNULL, check=True)
    return next((root / "one").glob("2*"))


def fill_store(store, first, count):
    """A store with this many copies of a session, a second apart."""
    for number in range(count):
        day, rest = divmod(number, 86_400)
        name = f"2020{1 + day // 28:02}{1 + day % 28:02}-{rest // 3600:02}{rest // 60 % 60:02}{rest % 60:02}-000-many"
        shutil.copytree(first, root / store / name)


def fill_session(store, first, count):
    """A store with one session that has this many copies of an episode."""
    session = root / store / "20200101-000000-000-long"
    session.mkdir(parents=True)
    for number in range(1, count + 1):
        shutil.copytree(first / "0001", session / f"{number:04}")


def median(values):
    return f"{statistics.median(values) * 1000:8.0f} ms ({min(values) * 1000:.0f})"


def find(store):
    before = time.perf_counter()
    arguments = [program, "find", "parse", "--store", str(root / store)]
    done = subprocess.run(arguments, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"find: {done.stderr.decode()}")
    return time.perf_counter() - before


class Terminal:
    """A program in a terminal of 120x40."""

    def __init__(self, *arguments):
        self.started = time.perf_counter()
        self.child, self.end = pty.fork()
        if self.child == 0:
            os.chdir(root)
            os.execve(program, [program, *arguments], environment)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.kill(self.child, signal.SIGWINCH)
        self.written = b""
        self.answered = 0

    def read(self, seconds):
        """Reads what is written within this time, and answers the question what the terminal is."""
        ready, _, _ = select.select([self.end], [], [], seconds)
        if ready:
            self.written += os.read(self.end, 1 << 16)
        asked = self.written.count(b"\x1b[c")
        if asked > self.answered:
            os.write(self.end, b"\x1b[?62;22c" * (asked - self.answered))
            self.answered = asked

    def wait_for(self, pattern, since):
        """Waits until this is written, and returns the seconds since a moment."""
        at = len(self.written) if since != self.started else 0
        while not re.search(pattern, self.written[at:]):
            if time.perf_counter() - since > 120:
                sys.exit(f"not written within two minutes: {pattern}; the end is {self.written[-400:]!r}")
            self.read(0.05)
        return time.perf_counter() - since

    def press(self, keys):
        os.write(self.end, keys)
        return time.perf_counter()

    def peak(self):
        """The peak memory in MB."""
        status = pathlib.Path(f"/proc/{self.child}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def close(self):
        os.kill(self.child, signal.SIGTERM)
        while True:
            try:
                self.read(0.1)
            except OSError:
                break
        os.waitpid(self.child, 0)
        os.close(self.end)


def view(store):
    terminal = Terminal("view", "last", "--store", str(root / store))
    first = terminal.wait_for(rb"Episodes and sessions", terminal.started)
    at_first = terminal.peak()
    until = time.perf_counter() + 3
    while time.perf_counter() < until:
        terminal.read(0.1)
    later = terminal.peak()
    terminal.close()
    return first, at_first, later


def next_episode(store):
    """The time until the next episode is read and told, in lines."""
    terminal = Terminal("view", "last", "--linear", "--store", str(root / store))
    terminal.wait_for(rb"Question", terminal.started)
    terminal.press(b"\n")
    time.sleep(1)
    terminal.read(0.1)
    pressed = terminal.press(b"next-episode\n")
    seconds = terminal.wait_for(rb"Episode: 2 of", pressed)
    terminal.close()
    return seconds


def home(store, count, kept):
    """The time until the sessions are listed, until the first of them is described, and of a key in the tree."""
    if not kept:
        shutil.rmtree(root / ".cache", ignore_errors=True)
    terminal = Terminal("--store", str(root / store))
    listed = terminal.wait_for(b"%d sessions" % count, terminal.started)
    described = terminal.wait_for(rb"mini/1 \xc2\xb7 oracle", terminal.started)
    quiet(terminal)
    keys = [key(terminal, letter) for letter in [b"j", b"k"] * 10]
    terminal.close()
    return listed, described, statistics.median(keys)


def key(terminal, letter):
    """The time until the mark of the selected row is drawn elsewhere."""
    pressed = terminal.press(letter)
    seconds = terminal.wait_for("›".encode(), pressed)
    quiet(terminal)
    return seconds


def quiet(terminal):
    """Waits until nothing was written for a while, and the file with what is kept does not change."""
    length = -1
    while length != len(terminal.written):
        length = len(terminal.written)
        terminal.read(0.5)


def browse(store, kept):
    """The time until the list of sessions has one of them."""
    if not kept:
        shutil.rmtree(root / ".cache", ignore_errors=True)
    terminal = Terminal("view", "--store", str(root / store))
    seconds = terminal.wait_for(rb"20200101-", terminal.started)
    quiet(terminal)
    terminal.close()
    return seconds


recorded = record()
fill_store("half", recorded, sessions // 2)
fill_store("many", recorded, sessions)
fill_session("long", recorded, episodes)
repeats = int(os.environ.get("REPEATS", "5"))
only_home = os.environ.get("ONLY") == "home"
for store, count in [("half", sessions // 2), ("many", sessions)] if not only_home else []:
    print(f"find in {count} sessions    {median([find(store) for _ in range(repeats)])}", flush=True)
for kept in [False, True]:
    listed, described, keys = zip(*[home("many", sessions, kept) for _ in range(repeats)])
    beside = "kept" if kept else "nothing kept"
    print(f"home of {sessions} sessions, {beside}: listed {median(listed)}, described {median(described)}, key {median(keys)}")
    print(f"  list of sessions {median([browse('many', kept) for _ in range(repeats)])}", flush=True)
if only_home:
    shutil.rmtree(root)
    sys.exit()
runs = [view("long") for _ in range(repeats)]
first, at_first, later = zip(*runs)
second = [next_episode("long") for _ in range(repeats)]
print(f"view of {episodes} episodes: first screen {median(first)}, {statistics.median(at_first):.0f} MB")
print(f"  three seconds later {statistics.median(later):.0f} MB; the next episode {median(second)}")
shutil.rmtree(root)
