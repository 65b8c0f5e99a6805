"""The socket between Python and the machines. A message is a length and a type, four bytes each, then a body that depends on the type."""

import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time

OPEN, RESET, STEP, SEND, RECEIVE, SAVE, RESTORE, FORK = range(1, 9)
TEXT, STEPPED, RECEIVED, BYTES, ERROR = 128, 129, 130, 131, 255


_GONE = "the connection to the server is lost: start another server and open the environments again"


class FrontpanelError(RuntimeError):
    """An error reported by the server."""


class Channel:
    """One connection. Requests are answered in order."""

    def __init__(self, path):
        #: A request has been sent, in part at least, and its answer has not come whole.
        self._is_owed = False
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def request(self, kind, *parts):
        """Sends a request without waiting for its answer."""
        length = sum(len(part) for part in parts)
        if self._is_owed:
            # What is still to come would be taken for the answer to this request.
            self.close()
        if self._socket.fileno() < 0:
            why = "an answer was interrupted" if self._is_owed else "this connection is closed"
            raise FrontpanelError(f"{why}: open the environments again")
        self._is_owed = True
        try:
            self._socket.sendall(b"".join((struct.pack("<II", length, kind), *parts)))
        except (BrokenPipeError, ConnectionResetError) as error:
            self._is_owed = False
            raise FrontpanelError(_GONE) from error

    def answer(self, into=None):
        """Returns the next answer: its type and the bytes left over after `into` has been filled."""
        length, kind = struct.unpack("<II", self._exactly(bytearray(8)))
        if kind == ERROR or into is None:
            rest = self._exactly(bytearray(length))
        elif length < len(into):
            raise FrontpanelError(f"the answer has {length} bytes, but {len(into)} were expected")
        else:
            self._exactly(into)
            rest = self._exactly(bytearray(length - len(into)))
        self._is_owed = False
        if kind == ERROR:
            raise FrontpanelError(json.loads(rest)["message"])
        return kind, rest

    def ask(self, kind, *parts):
        self.request(kind, *parts)
        return self.answer()[1]

    def close(self):
        self._socket.close()

    def _exactly(self, into):
        view = memoryview(into)
        while len(view) > 0:
            try:
                count = self._socket.recv_into(view)
            except ConnectionResetError:
                count = 0
            if count == 0:
                self._is_owed = False
                raise FrontpanelError(_GONE)
            view = view[count:]
        return into


class Server:
    """A server started by this process. It ends with the process, or with `close`."""

    def __init__(self, process, path, folder):
        self.path = path
        self._process = process
        self._folder = folder

    def close(self, patience=30.0):
        if self._process.stdout.closed:
            return
        # What really serves may be a child of the command: it ends with its input, and is killed with its group.
        self._process.stdin.close()
        try:
            self._process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def start_server(command=("npx", "frontpanel"), read=(), patience=60.0):
    """Starts `frontpanel gym` and waits until it listens. `read`: folders from which files may be read."""
    folder = tempfile.TemporaryDirectory(prefix="frontpanel-gym-")
    path = os.path.join(folder.name, "gym.sock")
    options = ["--allow-read", ",".join(read)] if read else []
    process = subprocess.Popen(
        [*command, "gym", path, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    server = Server(process, path, folder)
    end = time.monotonic() + patience
    line = process.stdout.readline()
    while not os.path.exists(path) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    if not os.path.exists(path):
        code = process.poll()
        why = f"it was not ready after {patience:g} s" if code is None else f"it ended with exit code {code}; its output says why"
        server.close(patience=2.0)
        raise FrontpanelError(f"{' '.join(command)} gym did not start: {line.strip() or why}")
    return server
