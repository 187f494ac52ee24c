"""Measures journals and stores with a program: python3 benches/journal.py PATH/TO/mageyard [STEPS] [SESSIONS]

A model agent plays an episode of STEPS steps (30000) at AM=5 against a server in this script. Then the episode is
opened, and a store is filled with SESSIONS sessions (10000), listed and extended. Each time is the median of five
processes with the shortest one in brackets; the memory is the median of their peaks. Processor time is that of all
threads, so it says the same on a busy machine.
"""

import http.server, json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, threading, time

program = str(pathlib.Path(sys.argv[1]).resolve())
steps = sys.argv[2] if len(sys.argv) > 2 else "30000"
sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    asked = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        Server.asked += 1
        move = ["Right", "Left"][Server.asked % 2]
        text = f"# analyze\nThe box is two steps away, and this is move {Server.asked}.\n\n# action\n{move}\n"
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "mock",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
root = pathlib.Path(tempfile.mkdtemp())
environment = {"HOME": str(root), "XDG_CONFIG_HOME": str(root / "config")}
(root / "config/mageyard").mkdir(parents=True)
(root / "config/mageyard/config.toml").write_text(f"""
[model]
name = "mock"
base_url = "http://127.0.0.1:{server.server_port}/v1"
key_variable = ""
resolution = 64
stream = false
""")
(root / "hall.xsb").write_text("#######\n#@  $.#\n#######\n")


def run(store, *arguments):
    """The seconds, the peak memory in MB and the processor seconds of a process."""
    before = time.perf_counter()
    child = subprocess.Popen([program, *arguments, "--store", str(root / store)], cwd=root, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - before
    if os.waitstatus_to_exitcode(status) not in (0, 4):
        sys.exit(f"{arguments}: {said}")
    return seconds, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def measure(store, *arguments):
    """The medians of five processes, as text."""
    runs = [run(store, *arguments) for _ in range(5)]
    seconds, memory, processor = (statistics.median(values) for values in zip(*runs))
    shortest = min(seconds for seconds, _, _ in runs)
    return f"{seconds * 1000:8.0f} ms ({shortest * 1000:.0f}), {processor * 1000:.0f} ms of processor, {memory:.0f} MB"


print(f"program start    {measure('none', '--version')}")
seconds, memory, _ = run("long", "run", "hall.xsb", "--agent", "model", "--am", "5", "--om", "1", "--max-steps", steps)
print(f"play             {seconds:8.1f} s  for {steps} steps, {memory:.0f} MB")
session = next((root / "long").glob("2*"))
journal = session / "0001/journal.jsonl"
print(f"journal          {journal.stat().st_size / 1e6:8.1f} MB")
print(f"open for view    {measure('long', 'view', 'last#1', '--json')}")
print(f"report           {measure('long', 'report', 'last')}")
print(f"list             {measure('long', 'log', 'list')}")

run("many", "run", "hall.xsb", "--agent", "oracle")
first = next((root / "many").glob("2*"))
for number in range(sessions):
    day, rest = divmod(number, 86_400)
    name = f"2020{1 + day // 28:02}{1 + day % 28:02}-{rest // 3600:02}{rest // 60 % 60:02}{rest % 60:02}-000-many"
    shutil.copytree(first, root / "many" / name)
print(f"new session      {measure('many', 'run', 'hall.xsb', '--agent', 'idle')}, with {sessions} sessions in the store")
print(f"                 {measure('few', 'run', 'hall.xsb', '--agent', 'idle')}, alone")
for arguments in [["log", "list", "--newest", "100"], ["log", "list"]]:
    try:
        print(f"{' '.join(arguments):16} {measure('many', *arguments)}")
    except SystemExit as error:
        print(f"{' '.join(arguments):16} not supported: {str(error)[:80]}")
shutil.rmtree(root)
