"""The board's server and a page without a browser."""
import asyncio
import base64
import json
import os
import re
import subprocess

import programs

ENGINES = 24
HUMAN = {"kind": "human"}


def start(quintet, data):
    """A server that leads a process group."""
    flags = ["--port", "0", "--agents", "0", "--engines", str(ENGINES), "--data", data]
    return subprocess.Popen(
        [quintet, "serve", *flags], stdout=subprocess.PIPE, text=True, start_new_session=True, env=programs.marked(data)
    )


class Server:
    """A running server; what it prints says where it is."""

    def __init__(self, quintet, data):
        self.process = start(quintet, data)
        said = {}
        while "Board" not in said:
            line = self.process.stdout.readline()
            assert line, "the server does not start"
            name, _, place = line.strip().partition(": ")
            said[name] = place
        ports = {name: re.search(r":(\d+)/?$", said[name])[1] for name in ("Board", "Agents")}
        self.board, self.agents = int(ports["Board"]), int(ports["Agents"])

    def kill(self):
        programs.kill_group(self.process)

    def figures(self):
        """Memory in MB, threads, files and engines."""
        pid = self.process.pid
        return {
            "MB": programs.memory(pid),
            "threads": int(programs.status(pid)["Threads"]),
            "files": len(os.listdir(f"/proc/{pid}/fd")),
            "engines": len(programs.children(pid)),
        }


class Page:
    """A page without a browser."""

    @staticmethod
    async def open(port):
        """Tries again as a page does: in a crowd the one who has stood at the door longest is sent away."""
        while True:
            try:
                return await Page.enter(port)
            except (OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.25)

    @staticmethod
    async def enter(port):
        page = Page()
        page.reader, page.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        key = base64.b64encode(os.urandom(16)).decode()
        page.writer.write((
            f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        ).encode())
        head = await page.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        page.number = 0
        hello = await page.hear()
        assert hello["type"] == "hello"
        page.games = [game["name"] for game in hello["games"]]
        return page

    def game(self, number):
        """Each game in its turn."""
        return self.games[number % len(self.games)]

    def send(self, kind, body):
        length = len(body)
        head = bytes([0x80 | kind])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 1 << 16:
            head += bytes([0xFE]) + length.to_bytes(2, "big")
        else:
            head += bytes([0xFF]) + length.to_bytes(8, "big")
        # A mask of zeros leaves the text as it is.
        self.writer.write(head + bytes(4) + body)

    async def hear(self):
        """The next message; questions whether we are still there are answered on the way."""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length > 125:
                length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
            body = await self.reader.readexactly(length)
            if first & 15 == 9:
                self.send(10, body)
            elif first & 15 == 1:
                return json.loads(body)

    async def ask(self, what, **details):
        """Puts a question and waits for its answer."""
        self.number += 1
        self.send(1, json.dumps({"do": what, "reply": self.number, **details}).encode())
        await self.writer.drain()
        while True:
            message = await self.hear()
            if message.get("reply") == self.number:
                return message

    async def begin(self, game, seats):
        begun = await self.ask("new", game=game, rules=[], fen=None, seats=seats, clock=None)
        assert begun["type"] == "created", begun
        return begun["id"], (await self.ask("watch", id=begun["id"]))["game"]
