"""A chat server on loopback that plays all three roles, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]

QUESTIONS = (
    "How does the system decide that a reading looks wrong?",
    "What happens to a suspicious value?",
    "Did that change the number of false alarms?",
    "Where can it run?",
    "Who reads the tables at night?",
)
ANSWERS = (
    "It compares the reading with the median of its neighbours.",
    "It is held back for a second look.",
    "Yes, only one false alarm remained over the week.",
    "It can run on a single cheap board.",
    "There is not enough information in the text.",
)
SUMMARY = "The text describes how a system checks sensor readings before an alarm is raised."


def role_of(body: Body) -> str:
    """Which role a request is made for, by the words of its template."""
    said = body["messages"][0]["content"]
    if "asking short questions" in said:
        return "person"
    if "briefly answer the questions" in said:
        return "bot"
    return "summarizer"


def turn_of(body: Body) -> int:
    """How many questions stand in the request before the turn that is asked for."""
    messages = [m for m in body["messages"] if m["role"] != "system"]
    if role_of(body) == "person":
        return sum(m["role"] == "assistant" for m in messages)
    return sum(m["role"] == "user" for m in messages) - 1


def plain_answer(body: Body) -> str:
    """The regular course: a summary, then question and answer in turn."""
    role = role_of(body)
    if role == "summarizer":
        return SUMMARY
    return (QUESTIONS if role == "person" else ANSWERS)[turn_of(body)]


class TalkingServer:
    """Answers with `answer(body)`; `bodies` holds every request in the order of arrival."""

    def __init__(self, answer: Callable[[Body], str | Body] = plain_answer) -> None:
        self.answer = answer
        self.bodies: list[Body] = []
        self.port = 0

    @property
    def model(self) -> str:
        return f"openai:m@http://127.0.0.1:{self.port}/v1"

    def of_role(self, role: str) -> list[Body]:
        return [body for body in self.bodies if role_of(body) == role]


@contextmanager
def talking(answer: Callable[[Body], str | Body] = plain_answer) -> Iterator[TalkingServer]:
    """Run a server for the time of a `with` block."""
    state = TalkingServer(answer)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                state.bodies.append(body)
                said = state.answer(body)
            status = 200
            if isinstance(said, str):
                message = {"role": "assistant", "content": said}
                said = {
                    "choices": [{"message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 50, "completion_tokens": 10},
                }
            elif "error" in said:
                status = said.pop("status", 400)
            data = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    with Server(("127.0.0.1", 0), Handler) as server:
        state.port = server.server_port
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        try:
            yield state
        finally:
            server.shutdown()
