"""A local server fast enough to load the quickest client, and papers its answers are about.

A raw asyncio protocol in a process of its own: 0.03 to 0.05 ms a request.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from material import raw_dialogue, segment

from generator.calling.open_files import ensure_open_files

MODEL = "bench"
TEXTS = 50


def texts_and_dialogues() -> list[tuple[str, str]]:
    """Segments, and a dialogue about each; `@N@` stands for the number of the paper."""
    rng = random.Random(11)
    pairs = []
    for _ in range(TEXTS):
        text = segment(rng, 1600)
        raw = raw_dialogue(rng, text)
        pairs.append((text, raw.replace("What does", "In paper @N@, what does", 1)))
    return pairs


HEADINGS = ("Introduction", "Methods", "Experiments", "Results", "Related Work")


def write_papers(path: Path, segments: int) -> None:
    """Papers of at least this many segments together, four or five a paper, no two alike."""
    pairs = texts_and_dialogues()
    with path.open("w", encoding="utf-8") as file:
        for first in range(0, segments * 5 // 4 + 5, len(HEADINGS)):
            sections = [
                {"heading": heading, "text": f"This is paper {number}. {pairs[number % TEXTS][0]}"}
                for number, heading in enumerate(HEADINGS, first)
            ]
            paper = {"title": f"Title {first}", "abstract": "", "sections": sections,
                     "references": []}  # fmt: skip
            file.write(json.dumps(paper) + "\n")


class Answering(asyncio.Protocol):
    """Keep-alive HTTP with Content-Length; latency in ms is the first part of the path."""

    numbered = re.compile(rb"[Pp]aper (\d+)")

    def __init__(self, bodies: list[tuple[bytes, bytes]]) -> None:
        self._bodies = bodies
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._got += data
        while (end := self._got.find(b"\r\n\r\n")) >= 0:
            head = self._got[:end].lower()
            at = head.index(b"content-length:") + 15
            length = int(head[at:].split(b"\r\n", 1)[0])
            if len(self._got) < end + 4 + length:
                return
            body = self._got[end + 4 : end + 4 + length]
            self._got = self._got[end + 4 + length :]
            latency_s = int(head.split(b"/", 2)[1]) / 1000
            if latency_s:
                asyncio.get_running_loop().call_later(latency_s, self._answer, body)
            else:
                self._answer(body)

    def _answer(self, body: bytes) -> None:
        found = self.numbered.search(body)
        number = found[1] if found else b"0"
        before, after = self._bodies[int(number) % TEXTS]
        content = before + number + after
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        self._transport.write(head % len(content) + content)


def serve() -> None:
    """The server process: prints its port, and answers until it is ended."""
    bodies = []
    for _, raw in texts_and_dialogues():
        message = {"role": "assistant", "content": raw}
        answer = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 600, "completion_tokens": 300, "total_tokens": 900},
        }
        before, after = json.dumps(answer).encode().split(b"@N@")
        bodies.append((before, after))

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Answering(bodies), "127.0.0.1", 0, backlog=4096)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    ensure_open_files(2000)
    with contextlib.suppress(ImportError, KeyboardInterrupt):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of the server up to the latency: `{address}/200/v1` is a base URL."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    serve()
