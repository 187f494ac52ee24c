"""Makes this folder with a program that writes journals of version 1.

    python3 make.py PATH/TO/mageyard

Each session shows some of the events. Together they have all of version 1.
"""

import http.server, json, os, pathlib, pty, re, select, shutil, subprocess, sys, tempfile, threading, time

program = str(pathlib.Path(sys.argv[1]).resolve())
here = pathlib.Path(__file__).parent
root = pathlib.Path(tempfile.mkdtemp())
work = root / "work"
store = root / "sessions"
work.mkdir()
replies = []


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        reply = replies.pop(0) if replies else "Up"
        if reply == "hang":
            time.sleep(3)
            return
        if reply == "error":
            self.send_response(500)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        text = reply if reply.startswith("#") else f"# analyze\nThe crate → {reply}.\n\n# action\n{reply}\n"
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "mock-2026",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
environment = {"HOME": str(root / "home"), "XDG_CONFIG_HOME": str(root / "config"), "TERM": "xterm-256color",
    "XDG_DATA_HOME": str(root / "data"), "XDG_STATE_HOME": str(root / "state"), "XDG_CACHE_HOME": str(root / "cache")}
(root / "config/mageyard").mkdir(parents=True)
(root / "config/mageyard/config.toml").write_text(f"""
[store]
folder = "{store}"
[sokoban]
tile = 8
[hanoi]
scale = 1
[model]
name = "mock"
base_url = "http://127.0.0.1:{server.server_port}/v1"
key_variable = ""
resolution = 32
stream = false
""")
(work / "three.xsb").write_text("#######\n#@ $ .#\n#######\n")
(work / "dead.xsb").write_text("#####\n#$@ #\n#  .#\n#####\n")
model = ["--agent", "model"]


def newest():
    return max(store.iterdir(), key=lambda path: path.name)


def run(name, *arguments, answers=()):
    replies[:] = answers
    done = subprocess.run([program, "run", *arguments], cwd=work, env=environment, capture_output=True, text=True)
    print(name, done.returncode, done.stderr.strip()[-300:])
    newest().rename(store / ("0-" + name))


def play(name, *arguments, keys, answers=()):
    """Keys are pressed one after the other, each when the screen shows the text before it."""
    replies[:] = answers
    child, screen = pty.fork()
    if child == 0:
        os.chdir(work)
        os.execve(program, [program, "play", *arguments], environment)
    shown = b""
    import fcntl, struct, termios
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    def read(seconds):
        nonlocal shown
        until = time.time() + seconds
        while time.time() < until:
            if select.select([screen], [], [], 0.1)[0]:
                try:
                    shown += os.read(screen, 65536)
                except OSError:
                    return
    read(2)
    for pressed in keys:
        os.write(screen, pressed.encode())
        read(1.0)
        (root / "screen.txt").write_text(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", shown.decode(errors="replace")))
    os.write(screen, b"q")
    read(1)
    os.kill(child, 15)
    os.waitpid(child, 0)
    newest().rename(store / ("0-" + name))


run("model", "three.xsb", *model, "--am", "2", "--om", "2", "--max-steps", "4",
    answers=["error", "Right", "#no action", "Left", "#one", "#two", "#three", "Right"])
run("global", "three.xsb", *model, "--setting", "global", "--prompt", "HD-CoT",
    answers=["### Analyze\nA crate.\n\n### Actions\nRight, Right, Left\n"])
run("budget", "three.xsb", *model, "--max-tokens", "240", answers=["Left", "Up", "Right"])
run("unreadable", "three.xsb", *model, "--on-unreadable", "end", answers=["#a", "#b", "#c"])
run("expired", "three.xsb", *model, "--max-time", "1.5", answers=["Left", "hang"])
run("hanoi", "hanoi/first/1", "--agent", "oracle")
run("idle", "three.xsb", "--agent", "idle")
run("repeating", "dead.xsb", "--agent", "random", "--repeats", "2", "--max-steps", "12", "--on-repeating", "end")
play("person", "three.xsb", *model, answers=["#unread", "Left", "Right", "Right"], keys=[
    "]", ":prompt HD-CoT\r", "\r", ":edit reply\r", "\x15\x0b# action\rRight", "\x04", "\r"])
play("cancelled", "three.xsb", *model, answers=["Right", "hang", "Left"], keys=[
    "\r", ":edit action\r", "\x15\x0bLeft", "\r", "\r", "\r", "\x1b", ":abandon\r", "y", "\r"])
run("unfinished", "dead.xsb", "--agent", "random", "--repeats", "2", "--seed", "3", "--max-steps", "6")
journal = store / "0-unfinished/0002/journal.jsonl"
journal.write_bytes(journal.read_bytes()[:-500])
events = set()
for path in sorted(store.rglob("journal.jsonl")):
    names = re.findall(r'"event":"(\w+)"', path.read_text())
    events |= set(names)
    print(path.parent, " ".join(names))
print(sorted(events))
for old in [path for path in here.iterdir() if path.is_dir()]:
    shutil.rmtree(old)
for session in store.iterdir():
    shutil.copytree(session, here / session.name[2:])
