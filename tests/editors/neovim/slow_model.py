"""A model on 127.0.0.1 that speaks the OpenAI wire and waits in the middle of its answer.

It goes on when a file `go` appears in its control folder, leaves `closed` there when its client went
away before the end, and `ended` when it said everything. While there is a file `quick` it does not wait, and
while there is one `refuse` it takes no key. Where there is one `think` it thinks aloud first. The names of the
models that it offers are the lines of a file `models`; without one it tells none.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

STEP = 0.02


class SlowModel(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: str, control: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.control = answer, control

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: SlowModel
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        if (self.server.control / "refuse").exists():
            self._refuse()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        half = len(self.server.answer) // 2
        try:
            if (self.server.control / "think").exists():
                for part in ("先看人名，", "再看标点。"):
                    self._send({"choices": [{"index": 0, "delta": {"reasoning_content": part}}]})
            self._say(self.server.answer[:half])
            while not self._may_go_on():
                self.wfile.write(b": waiting\n\n")
                self.wfile.flush()
                time.sleep(STEP)
            self._say(self.server.answer[half:])
            self._send({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
            self.wfile.write(b"data: [DONE]\n\n")
            self._leave("ended")
        except OSError:
            self._leave("closed")

    def do_GET(self) -> None:
        offered = self.server.control / "models"
        if not self.path.endswith("/models") or not offered.exists():
            self._tell(404, {"error": {"message": "Not found"}})
            return
        names = offered.read_text("utf-8").splitlines()
        self._tell(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    def _may_go_on(self) -> bool:
        """Whether it is told to: one `go` is for one client, and for none that went away."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionAbortedError
        if (self.server.control / "quick").exists():
            return True
        try:
            (self.server.control / "go").unlink()
        except FileNotFoundError:
            return False
        return True

    def _refuse(self) -> None:
        self._tell(401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}})

    def _tell(self, status: int, payload: object) -> None:
        told = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def _say(self, text: str) -> None:
        for at in range(0, len(text), 7):
            self._send({"choices": [{"index": 0, "delta": {"content": text[at : at + 7]}}]})

    def _send(self, payload: object) -> None:
        self.wfile.write(f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()

    def _leave(self, name: str) -> None:
        (self.server.control / name).touch()

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def slow_model(answer: str, control: Path) -> Iterator[SlowModel]:
    server = SlowModel(answer, control)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": STEP}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
