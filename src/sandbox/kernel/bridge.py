"""Runs cells of Python for one episode: a JSON object a line on standard input, and on standard output.

Its argument is the kernel to use: "jupyter" (a kernel of its own process, over sockets in a folder), "ipython" (IPython in
this process), "plain" (Python in this process, with lines that begin with "!" for the shell), or "auto" (the first of the
three that is installed; "auto-pipe" leaves out the one that needs sockets).

Orders:  first {"secret": "..."}, then {"cell": 3, "code": "..."}  and  {"interrupt": true}
Answers, each after the secret: {"ready": {"kernel", "version", "python"}}, and for a cell any number of {"cell": 3, "text": "..."},
{"cell": 3, "rich": {MIME type: text}}, {"cell": 3, "error": [name, value]}, {"cell": 3, "cut": characters left out so far}, and at its
end {"cell": 3, "done": true}.
"""

import json
import os
import queue
import signal
import sys
import threading
import time

# Text that a line carries at most; longer output goes in several lines.
PIECE = 16384
# Text of a cell that is said; the rest is counted, at most once a second.
MOST = 65536
# Rich results that are larger are replaced by a note, and so are those that would make the line too long.
RICH = 1 << 20
LINE = 3 << 20

_lock = threading.Lock()
_out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
_in = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
_secret = json.loads(_in.readline() or '{"secret": ""}')["secret"]


def say(**message):
    line = json.dumps(message)
    with _lock:
        _out.write(_secret + line + "\n")
        _out.flush()


class Output:
    """The text of the cell that runs."""

    cell, said, cut, counted = 0, 0, 0, 0.0


def say_text(cell, text):
    if Output.cell != cell:
        Output.cell, Output.said, Output.cut = cell, 0, 0
    whole, text = text, text[: MOST - Output.said]
    Output.said += len(text)
    for start in range(0, len(text), PIECE):
        say(cell=cell, text=text[start : start + PIECE])
    if len(text) < len(whole):
        Output.cut += len(whole) - len(text)
        if time.monotonic() - Output.counted > 1:
            say_cut(cell)


def say_cut(cell):
    if Output.cell == cell and Output.cut:
        Output.counted = time.monotonic()
        say(cell=cell, cut=Output.cut)


def say_rich(cell, data):
    kept, left = {}, LINE
    for mime, value in data.items():
        text = value if isinstance(value, str) else json.dumps(value)
        size = len(json.dumps(text)) if len(text) <= RICH else left + 1
        if size > left:
            text, size = "[%d characters left out]" % len(text), 0
        kept[mime], left = text, left - size
    say(cell=cell, rich=kept)


def say_error(cell, name, value):
    """A line has at most so much; the agent reads less."""
    say(cell=cell, error=[name[:MOST], value[:MOST]])


def orders(interrupt):
    """The cells as they come; an interrupt is carried out at once."""
    cells = queue.Queue()

    def read():
        for line in _in:
            try:
                order = json.loads(line)
            except ValueError:
                continue
            if order.get("interrupt"):
                interrupt()
            else:
                cells.put(order)
        cells.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            order = cells.get()
        except KeyboardInterrupt:
            # An interrupt that came after its cell had ended.
            continue
        if order is None:
            return
        yield order["cell"], order["code"]


def keep_memory_private():
    """Cells run in another process of this user, which must not read the secret or write to the pipe through /proc."""
    import ctypes

    try:
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    except (AttributeError, OSError):
        pass


class Jupyter:
    """A Jupyter kernel in a process of its own, over sockets of files in a private folder."""

    def __init__(self):
        import ipykernel
        from jupyter_client.manager import KernelManager

        self.version = ipykernel.__version__
        folder = os.environ.get("MAGEYARD_KERNEL_FOLDER") or os.environ.get("TMPDIR", "/tmp")
        os.makedirs(folder, exist_ok=True)
        self.manager = KernelManager(
            transport="ipc",
            ip=os.path.join(folder, "kernel"),
            connection_file=os.path.join(folder, "kernel.json"),
        )
        null = open(os.devnull, "w")
        self.manager.start_kernel(stdout=null, stderr=null)
        keep_memory_private()
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=30)

    def interrupt(self):
        self.manager.interrupt_kernel()

    def run(self, cell, code):
        import queue as queues

        # Otherwise a cell that comes soon after an exception is dropped, since a notebook runs several at once.
        request = self.client.execute(code, store_history=True, allow_stdin=False, stop_on_error=False)
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queues.Empty:
                if not self.manager.is_alive():
                    os._exit(3)
                continue
            # A result of an earlier cell belongs to that cell.
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                say_text(cell, content["text"])
            elif kind in ("execute_result", "display_data"):
                say_rich(cell, content["data"])
            elif kind == "error":
                say_error(cell, content["ename"], content["evalue"])
            elif kind == "status" and content["execution_state"] == "idle":
                return


class Piped:
    """Runs cells in this process. What they and their programs print comes through a pipe."""

    def __init__(self):
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        os.close(writing)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        sys.stdin = open(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
        self.reading = reading
        self.cell = 0
        self.mark = os.urandom(16).hex()
        self.passed = threading.Event()
        threading.Thread(target=self.forward, daemon=True).start()

    def forward(self):
        """Says what is printed, up to the mark that follows the last output of a cell."""
        mark, kept = self.mark.encode(), b""
        while True:
            read = os.read(self.reading, 65536)
            if not read:
                return
            kept += read
            found = kept.find(mark)
            if found >= 0:
                self.emit(kept[:found])
                kept = kept[found + len(mark) :]
                self.passed.set()
                continue
            # The beginning of a mark may be at the end.
            safe = max(len(kept) - len(mark), 0) if self.ends_in_mark(kept, mark) else len(kept)
            self.emit(kept[:safe])
            kept = kept[safe:]

    @staticmethod
    def ends_in_mark(kept, mark):
        return any(kept.endswith(mark[:n]) for n in range(1, len(mark)))

    def emit(self, output):
        if output:
            say_text(self.cell, output.decode("utf-8", "backslashreplace"))

    def flush(self):
        sys.stdout.flush()
        sys.stderr.flush()
        self.passed.clear()
        os.write(1, self.mark.encode())
        self.passed.wait(5)

    def interrupt(self):
        os.kill(os.getpid(), signal.SIGINT)

    def run(self, cell, code):
        self.cell = cell
        try:
            error = self.execute(cell, code)
        except KeyboardInterrupt:
            error = ["KeyboardInterrupt", ""]
        try:
            self.flush()
        except KeyboardInterrupt:
            pass
        if error:
            say_error(cell, *error)


class IPythonPiped(Piped):
    def __init__(self):
        import IPython
        from IPython.core.displayhook import DisplayHook
        from IPython.core.displaypub import DisplayPublisher
        from IPython.core.interactiveshell import InteractiveShell

        super().__init__()
        self.version = IPython.__version__
        outer = self

        class Publisher(DisplayPublisher):
            def publish(self, data, metadata=None, source=None, **others):
                outer.flush()
                say_rich(outer.cell, data)

        class Hook(DisplayHook):
            def write_output_prompt(self):
                pass

            def write_format_data(self, data, metadata=None):
                outer.flush()
                say_rich(outer.cell, data)

            def finish_displayhook(self):
                pass

        class Shell(InteractiveShell):
            def showtraceback(self, *arguments, **others):
                pass

            def showsyntaxerror(self, *arguments, **others):
                pass

        Shell.displayhook_class = Hook
        Shell.display_pub_class = Publisher
        self.shell = Shell.instance(colors="NoColor")
        # Commands write to the pipe of this process; a terminal of their own may not be had.
        self.shell.system = self.shell.system_raw
        self.shell.history_manager.enabled = False

    def execute(self, cell, code):
        result = self.shell.run_cell(code, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        return error and [type(error).__name__, str(error)]


class Plain(Piped):
    """Python alone: the value of a last expression is shown, and a line that begins with "!" goes to the shell."""

    def __init__(self):
        super().__init__()
        self.version = sys.version.split()[0]
        self.names = {"__name__": "__main__"}

    def execute(self, cell, code):
        import ast
        import subprocess

        def shell(command):
            subprocess.run(command, shell=True, executable="/bin/sh")

        lines = code.split("\n")
        for number, line in enumerate(lines):
            bare = line.lstrip()
            if bare.startswith("!"):
                indent = line[: len(line) - len(bare)]
                lines[number] = "%s__mageyard_shell(%r)" % (indent, bare[1:])
        self.names["__mageyard_shell"] = shell
        try:
            tree = ast.parse("\n".join(lines), "<cell>")
            last = None
            if tree.body and isinstance(tree.body[-1], ast.Expr):
                last = ast.Expression(tree.body.pop().value)
            exec(compile(tree, "<cell>", "exec"), self.names)
            if last is not None:
                value = eval(compile(last, "<cell>", "eval"), self.names)
                if value is not None:
                    self.flush()
                    say_rich(cell, {"text/plain": repr(value)})
        except KeyboardInterrupt:
            raise
        except SystemExit:
            os._exit(0)
        except BaseException as error:
            return [type(error).__name__, str(error)]


KERNELS = {"jupyter": Jupyter, "ipython": IPythonPiped, "plain": Plain}
WISHES = {"auto": ["jupyter", "ipython", "plain"], "auto-pipe": ["ipython", "plain"]}


def choose(wish):
    missing = []
    for name in WISHES.get(wish, [wish]):
        try:
            return name, KERNELS[name](), missing
        except ImportError as error:
            missing.append("%s: %s" % (name, error))
    say(absent="; ".join(missing))
    sys.exit(1)


def finish(cell):
    """An interrupt that comes now is too late, and changes nothing."""
    while True:
        try:
            say_cut(cell)
            say(cell=cell, done=True)
            return
        except KeyboardInterrupt:
            continue


def main():
    name, kernel, missing = choose(sys.argv[1])
    python = sys.version.split()[0]
    say(ready={"kernel": name, "version": kernel.version, "python": python, "missing": missing})
    for cell, code in orders(kernel.interrupt):
        kernel.run(cell, code)
        finish(cell)


main()
