"""Measures records with pictures and many episodes of one step: python3 benches/records.py PATH/TO/mageyard [RECORDS]

RECORDS (1000) records in the form of GroundUI, each with a picture of its own of 2000 x 1250 pixels (150 kB), are played with 32
episodes at once: by a model whose server, in this script, answers after 20 ms, with pictures of the default size and of 2000
pixels, and by replies from a file, which send no picture. Then `report` reads 10,000 episodes of one step. Each line has the time,
its goal, the peak memory and the processor time. Only the standard library is needed, and 1 GB in the temporary folder.
"""

import http.server, json, os, pathlib, shutil, socketserver, struct, subprocess, sys, tempfile, threading, time, zlib

program = str(pathlib.Path(sys.argv[1]).resolve())
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
WIDTH, HEIGHT, AT_ONCE, DELAY = 2000, 1250, 32, 0.02
ANSWER = "Answer: (0.5, 0.5)"


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        time.sleep(DELAY)
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "mock",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Threads(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 2 * AT_ONCE


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pictures(folder):
    """Screens with flat areas and a part that does not compress; all begin alike and end with rows of their own."""
    flat = b"".join(bytes([0]) + bytes([230, 230 - y % 200, y % 256]) * WIDTH for y in range(HEIGHT - 75))
    common = zlib.compressobj(1)
    begin = common.compress(flat)
    begin += common.compress(b"".join(bytes([0]) + os.urandom(3 * 1000) + bytes(3 * 1000) for _ in range(50)))
    header = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
    for number in range(count):
        own = common.copy()
        row = bytes([0]) + struct.pack(">I", number)[1:] * WIDTH
        data = begin + own.compress(row * 25) + own.flush()
        (folder / f"{number}.png").write_bytes(header + chunk(b"IDAT", data) + chunk(b"IEND", b""))


server = Threads(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
root = pathlib.Path(tempfile.mkdtemp())
environment = {"HOME": str(root), "XDG_CONFIG_HOME": str(root / "config")}
(root / "images").mkdir()
pictures(root / "images")
with open(root / "records.jsonl", "w") as records, open(root / "replies.jsonl", "w") as replies:
    for number in range(count):
        record = {"image": f"{number}.png", "instruction": f"Press the button {number}", "bbox": [900, 600, 1100, 700],
            "platform": ["web", "desktop", "mobile"][number % 3], "source": "own", "resolution": [WIDTH, HEIGHT]}
        records.write(json.dumps(record) + "\n")
        replies.write(json.dumps({"level": number + 1, "text": ANSWER}) + "\n")
(root / "many.toml").write_text("""levels = "ground/drawn"
repeats = 500

[settings]
play.agent = "faulty"
""")


def run(*arguments):
    """The seconds, the peak memory in MB and the processor seconds of a process."""
    before = time.perf_counter()
    child = subprocess.Popen([program, *arguments], cwd=root, env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE)
    said = child.stderr.read().decode()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - before
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{arguments}: {said}")
    return seconds, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def measure(title, goal, *arguments):
    seconds, memory, processor = run(*arguments)
    print(f"{title:44} {seconds:7.2f} s  (goal {goal}), {memory:4.0f} MB, {processor:.1f} s of processor", flush=True)


url = f"http://127.0.0.1:{server.server_port}/v1"
play = ["run", "records.jsonl", "--jobs", str(AT_ONCE), "--agent"]
model = [*play, "model", "--model", "mock", "--base-url", url]
model += ["--set", f"model.max_connections={AT_ONCE}", "--set", "model.stream=false"]
measure(f"{count} records, model", "30 s, 300 MB", *model, "--store", "one")
whole = ["--set", f"model.resolution={WIDTH}", "--store", "two"]
measure(f"{count} records, model, {WIDTH} px sent", "30 s, 300 MB", *model, *whole)
measure(f"{count} records, replies", "2 s", *play, "replies", "--from", "replies.jsonl", "--store", "three")
measure("10,000 episodes, played", "none", "sweep", "run", "many.toml", "--store", "four")
measure("10,000 episodes, report", "2 s", "report", "many", "--store", "four")
shutil.rmtree(root)
