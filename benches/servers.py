"""Plays against real model servers and checks the requests that they get: python3 benches/servers.py PATH/TO/mageyard [FOLDER]

Installs into FOLDER (a temporary folder if none is given; needs pip, npm and the package registries): the server of
llama.cpp with tiny random weights and a random vision projector, written by this script; the mock aimock, which speaks
three protocols; and the gateway of Portkey in front of the mock. For every legal window up to AM=5 and three prompts a
short episode is played through a recorder, and the recorded bodies are checked by the code of this script, which shares
nothing with the program: roles, remembered outputs, the number of images, their identity, and the current frame.
"""

import base64, hashlib, http.client, http.server, itertools, json, os, pathlib, subprocess, sys, tempfile, threading, time
import urllib.parse

PROMPTS = {"0s-CoT": True, "HD-CoT": True, "HD-CoT-NoIMG": False}
WINDOWS = [(0, 1)] + [(am, om) for am in range(1, 6) for om in range(1, am + 1)]
STEPS = 8
# Random weights reply with noise; a grammar leaves them the choice of the move.
GRAMMAR = 'root ::= "# analyze\\nNoise.\\n\\n# action\\n" ("Up" | "Down" | "Left" | "Right")'
REPLIES = [f"# analyze\nMove number {n}.\n\n# action\n{move}" for n, move in enumerate(["Up", "Down"] * 3)]


def weights(folder):
    """Random weights of a language model with bytes as tokens, and of a vision projector."""
    import gguf, numpy
    random = numpy.random.default_rng(7)
    embed, heads, feed, layers, side, patch = 32, 2, 64, 2, 64, 16

    def matrix(*shape):
        return (random.standard_normal(shape) * 0.2).astype(numpy.float32)

    def norm(writer, name, bias):
        writer.add_tensor(name + ".weight", numpy.ones(embed, numpy.float32))
        if bias:
            writer.add_tensor(name + ".bias", numpy.zeros(embed, numpy.float32))

    def linear(writer, name, rows, columns):
        writer.add_tensor(name + ".weight", matrix(rows, columns))
        writer.add_tensor(name + ".bias", numpy.zeros(rows, numpy.float32))

    def close(writer):
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    text = gguf.GGUFWriter(str(folder / "text.gguf"), "llama")
    text.add_context_length(1 << 16)
    text.add_embedding_length(embed)
    text.add_block_count(layers)
    text.add_feed_forward_length(feed)
    text.add_head_count(heads)
    text.add_head_count_kv(heads)
    text.add_layer_norm_rms_eps(1e-5)
    text.add_rope_dimension_count(embed // heads)
    printable = [chr(code) for code in range(33, 127)] + ["\u2581"]
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + printable
    text.add_tokenizer_model("llama")
    text.add_token_list(tokens)
    text.add_token_scores([0.0] * 3 + [-1000.0] * 256 + [-1.0] * len(printable))
    text.add_token_types([2, 3, 3] + [6] * 256 + [1] * len(printable))
    text.add_bos_token_id(1)
    text.add_eos_token_id(2)
    text.add_unk_token_id(0)
    text.add_chat_template("{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}<assistant>")
    text.add_tensor("token_embd.weight", matrix(len(tokens), embed))
    text.add_tensor("output.weight", matrix(len(tokens), embed))
    norm(text, "output_norm", False)
    for block in (f"blk.{layer}." for layer in range(layers)):
        norm(text, block + "attn_norm", False)
        norm(text, block + "ffn_norm", False)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            text.add_tensor(block + name + ".weight", matrix(embed, embed))
        text.add_tensor(block + "ffn_gate.weight", matrix(feed, embed))
        text.add_tensor(block + "ffn_up.weight", matrix(feed, embed))
        text.add_tensor(block + "ffn_down.weight", matrix(embed, feed))
    close(text)

    vision = gguf.GGUFWriter(str(folder / "vision.gguf"), "clip")
    vision.add_bool("clip.has_vision_encoder", True)
    vision.add_string("clip.projector_type", "mlp")
    vision.add_bool("clip.use_gelu", True)
    sizes = {"image_size": side, "patch_size": patch, "embedding_length": embed, "feed_forward_length": feed,
             "block_count": layers, "projection_dim": embed, "attention.head_count": heads}
    for name, size in sizes.items():
        vision.add_uint32("clip.vision." + name, size)
    vision.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
    vision.add_array("clip.vision.image_mean", [0.5] * 3)
    vision.add_array("clip.vision.image_std", [0.5] * 3)
    vision.add_tensor("v.class_embd", matrix(embed))
    vision.add_tensor("v.patch_embd.weight", matrix(embed, 3, patch, patch))
    vision.add_tensor("v.position_embd.weight", matrix((side // patch) ** 2 + 1, embed))
    norm(vision, "v.pre_ln", True)
    norm(vision, "v.post_ln", True)
    for block in (f"v.blk.{layer}." for layer in range(layers)):
        norm(vision, block + "ln1", True)
        norm(vision, block + "ln2", True)
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            linear(vision, block + name, embed, embed)
        linear(vision, block + "ffn_up", feed, embed)
        linear(vision, block + "ffn_down", embed, feed)
    linear(vision, "mm.0", embed, embed)
    linear(vision, "mm.2", embed, embed)
    close(vision)


def llama(folder):
    """Runs the server of llama.cpp until its input ends; prints its address."""
    import xllamacpp
    weights(folder)
    params = xllamacpp.CommonParams()
    params.model.path, params.mmproj.path = str(folder / "text.gguf"), str(folder / "vision.gguf")
    params.port, params.n_ctx, params.n_parallel, params.warmup = 0, 1 << 15, 1, False
    server = xllamacpp.Server(params)
    print("listening", server.listening_address, flush=True)
    sys.stdin.read()


class Recorder(http.server.ThreadingHTTPServer):
    """Forwards requests to a server, and keeps the body and the answer of each."""
    daemon_threads = True

    def __init__(self, upstream):
        self.upstream, self.seen = urllib.parse.urlsplit(upstream), []
        super().__init__(("127.0.0.1", 0), Forward)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Forward(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        upstream = self.server.upstream
        connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=120)
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in ("host", "content-length", "connection", "accept-encoding")}
        connection.request("POST", self.path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        self.server.seen.append((self.path, json.loads(body), answer.status, data))
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers.get("content-type", "application/json"))
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def turns_of(path, body):
    """Role, text and image digests of each turn, and the system text, of a body of any of the three protocols."""
    system = body.get("system") or body.get("instructions") or ""
    system = system if isinstance(system, str) else "".join(part["text"] for part in system)
    turns = []
    for message in body.get("messages") or body.get("input"):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "\n\n".join(part["text"] for part in parts if "text" in part)
        if message["role"] in ("system", "developer"):
            system = text
        else:
            turns.append((message["role"], text, [image_of(part) for part in parts if "text" not in part]))
    return system, turns


def image_of(part):
    if part["type"] == "image":
        data = part["source"]["data"]
    else:
        url = part["image_url"]
        data = (url if isinstance(url, str) else url["url"]).split(";base64,", 1)[1]
    data = base64.b64decode(data, validate=True)
    assert data.startswith(b"\x89PNG"), "an image is not a PNG file"
    return hashlib.sha256(data).hexdigest()


def reply_of(path, data):
    """The text of a reply, streamed or not, of any of the three protocols."""
    text = ""
    if not data.lstrip().startswith(b"{"):
        events = [line[5:].strip() for line in data.decode().splitlines() if line.startswith("data:")]
        events = [json.loads(event) for event in events if event != "[DONE]"]
        for event in events:
            if event.get("choices"):
                text += event["choices"][0].get("delta", {}).get("content") or ""
            elif event.get("type") == "content_block_delta":
                text += event["delta"].get("text", "")
            elif event.get("type") == "response.output_text.delta":
                text += event["delta"]
        return text
    body = json.loads(data)
    if "choices" in body:
        return body["choices"][0]["message"]["content"] or ""
    parts = body["content"] if "content" in body else body["output"][-1]["content"]
    return "".join(part.get("text", "") for part in parts)


def check(seen, am, om, pictures):
    """Fails at the first request that is not what the window allows. Each step has one request."""
    outputs, frames = [], []
    for step, (path, body, status, data) in enumerate(seen):
        where = f"step {step + 1}"
        assert status == 200, f"{where}: status {status}: {data[:300]}"
        system, turns = turns_of(path, body)
        assert system, f"{where}: no system text"
        roles = [role for role, _, _ in turns]
        assert roles == [["user", "assistant"][i % 2] for i in range(len(roles))], f"{where}: roles {roles}"
        assert roles[-1] == "user", f"{where}: the last turn is not the user's"
        said = [text.strip() for role, text, _ in turns if role == "assistant"]
        images = [image for _, _, images in turns for image in images]
        assert all(not found for role, _, found in turns if role == "assistant"), f"{where}: an assistant's image"
        past = outputs[len(outputs) - min(step, am):]
        assert said == past, f"{where}: the outputs {said} are not {past}"
        if pictures:
            shown = min(om, len(past) + 1)
            assert len(images) == shown, f"{where}: {len(images)} images, not {shown}"
            frames.append(images[-1])
            assert turns[-1][2] == images[-1:], f"{where}: the last turn does not have the current frame"
            assert images == frames[-shown:], f"{where}: other images than the last {shown} frames"
        else:
            assert not images, f"{where}: an image with a prompt without images"
        outputs.append(reply_of(path, data).strip())


def play(program, home, recorder, window, prompt, flags):
    (am, om), recorder.seen = window, []
    command = [program, "run", "sokoban/mini/1", "--agent", "model", "--base-url", recorder.address + "/v1", "--prompt", prompt,
               "--am", str(am), "--om", str(om), "--max-steps", str(STEPS), "--reader", "lenient", *flags]
    environment = dict(os.environ, HOME=str(home), OPENAI_API_KEY="sk-recorded-0123456789", NO_COLOR="1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert recorder.seen, f"no request came: {done.stderr[-800:]}"
    return done


def start(command, mark, **options):
    """Starts a server and waits for the line with the mark; returns the process and the line."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    for line in process.stdout:
        if mark in line:
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, line
    raise SystemExit(f"{command[0]} ended before it was ready")


def install(folder):
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "xllamacpp", "gguf", "numpy"], check=True)
    if not (folder / "node_modules").exists():
        packages = ["@portkey-ai/gateway", "@copilotkit/aimock"]
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *packages], check=True)
    return python


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = install(folder)
    (folder / "fixtures").mkdir(exist_ok=True)
    fixtures = [{"match": {"turnIndex": turn}, "response": {"content": REPLIES[turn % len(REPLIES)]}} for turn in range(7)]
    (folder / "fixtures" / "moves.json").write_text(json.dumps({"fixtures": fixtures}))
    processes = []
    try:
        llamacpp, line = start([python, __file__, "--llama", str(folder)], "listening http")
        processes.append(llamacpp)
        llamacpp_address = line.split()[-1]
        mock_port, gateway_port = "14010", "18787"
        mock, _ = start([folder / "node_modules/.bin/llmock", "-p", mock_port, "-f", folder / "fixtures"], mock_port)
        processes.append(mock)
        gateway, _ = start([folder / "node_modules/.bin/gateway", "--headless", f"--port={gateway_port}"], gateway_port,
                           env=dict(os.environ, PORT=gateway_port))
        processes.append(gateway)
        behind = Recorder(f"http://127.0.0.1:{mock_port}")
        routes = f'model.headers={{ "x-portkey-provider" = "openai", "x-portkey-custom-host" = "{behind.address}/v1" }}'
        servers = [
            ("llama.cpp", Recorder(llamacpp_address), ["--extra", json.dumps({"grammar": GRAMMAR})]),
            ("aimock, chat", Recorder(f"http://127.0.0.1:{mock_port}"), []),
            ("aimock, messages", Recorder(f"http://127.0.0.1:{mock_port}"), ["--set", "model.protocol=messages"]),
            ("aimock, responses", Recorder(f"http://127.0.0.1:{mock_port}"), ["--set", "model.protocol=responses"]),
            # The gateway cannot stream with some versions of Node.js ("TypeError: immutable").
            ("Portkey, aimock", Recorder(f"http://127.0.0.1:{gateway_port}"), ["--no-stream", "--set", routes]),
        ]
        failures = [report(program, folder, behind, server) for server in servers]
    finally:
        for process in processes:
            process.kill()
    sys.exit(any(failures))


def report(program, folder, behind, server):
    name, recorder, flags = server
    requests, episodes, failed, began = 0, 0, [], time.monotonic()
    for window, (prompt, pictures) in itertools.product(WINDOWS, PROMPTS.items()):
        behind.seen = []
        try:
            done = play(program, folder, recorder, window, prompt, ["--model", "tiny", "--max-retries", "0", *flags])
            check(recorder.seen, *window, pictures)
            assert len(recorder.seen) == STEPS, f"{len(recorder.seen)} requests, not {STEPS}: {done.stderr[-300:]}"
            if name.startswith("Portkey"):
                check(behind.seen, *window, pictures)
        except (AssertionError, KeyError, ValueError) as error:
            failed.append(f"  AM={window[0]} OM={window[1]} {prompt}: {error}")
        requests += len(recorder.seen)
        episodes += 1
    seconds = time.monotonic() - began
    print(f"{name:20} {episodes:4} episodes {requests:6} requests {len(failed):4} failed {seconds:7.1f} s", flush=True)
    for failure in failed[:5]:
        print(failure)
    return failed


if sys.argv[1:2] == ["--llama"]:
    llama(pathlib.Path(sys.argv[2]))
else:
    main()
