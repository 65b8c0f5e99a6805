"""The testing workflow of the VICE design with nothing but Python's own library: requests by urllib, events by SSE.

Usage: compare-standards.py URL TOKEN PROGRAM PAL-PROFILE NTSC-PROFILE
Prints one line of JSON with what was measured under both standards.
"""

import json
import queue
import sys
import threading
import urllib.request

FRAMES = 5


class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data", {})


class Client:
    def __init__(self, url, token):
        self.url = url
        self.headers = {
            "Authorization": "Bearer " + token,
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        self.last_id = 0
        self.events = queue.Queue()
        self.request(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "python", "version": "1"}},
        )
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).close()
        stream = urllib.request.urlopen(urllib.request.Request(self.url, headers=self.headers, method="GET"))
        threading.Thread(target=self.listen, args=(stream,), daemon=True).start()

    def post(self, message):
        body = json.dumps(message).encode()
        answer = urllib.request.urlopen(urllib.request.Request(self.url, body, self.headers, method="POST"))
        session = answer.headers.get("Mcp-Session-Id")
        if session:
            self.headers["Mcp-Session-Id"] = session
        return answer

    def request(self, method, params):
        self.last_id += 1
        with self.post({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}) as answer:
            if answer.headers.get_content_type() == "application/json":
                return self.result_of(json.load(answer))
            for message in messages(answer):
                if message.get("id") == self.last_id:
                    return self.result_of(message)
        raise RuntimeError("no answer to " + method)

    @staticmethod
    def result_of(message):
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def listen(self, stream):
        for message in messages(stream):
            params = message.get("params", {})
            if message.get("method") == "notifications/message" and params.get("logger") == "vice":
                self.events.put(params["data"])

    def run_to_stop(self):
        self.call("vice.execution.run")
        event = self.events.get(timeout=60)
        assert event["event"] == "breakpoint", event
        return event


def messages(stream):
    """The JSON messages of a stream of server-sent events."""
    data = []
    for line in stream:
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].strip())
        elif text == "" and data:
            joined = "\n".join(data)
            data = []
            if joined:
                yield json.loads(joined)


def sprite_x(client):
    try:
        return client.call("vice.vic2.sprites.get", sprite=0)["sprites"][0]["x"]
    except Refused as refused:
        assert refused.code == -32601, refused.code
        return refused.data["reason"]


def measure(client, profile):
    try:
        client.call("vice.machine.profile.apply", profile_name=profile, reset_after=False)
    except Refused as refused:
        assert refused.code == -32602, refused.code
        return {"cyclesPerFrame": str(refused), "moved": str(refused)}
    stop = client.run_to_stop()
    assert stop["raster_line"] == 100, stop
    before = sprite_x(client)
    client.call("vice.trace.cycles.reset")
    for _ in range(FRAMES):
        client.run_to_stop()
    cycles = client.call("vice.trace.cycles.get")["cycles"]
    after = sprite_x(client)
    moved = (after - before) & 255 if isinstance(before, int) else before
    return {"cyclesPerFrame": round(cycles / FRAMES), "moved": moved}


def main(url, token, program, pal, ntsc):
    client = Client(url, token)
    client.call("vice.files.autostart", path=program)
    client.call("vice.events.subscribe", events=["breakpoint"])
    client.call("vice.execution.pause")
    client.call("vice.breakpoints.raster", line=100)
    print(json.dumps({"pal": measure(client, pal), "ntsc": measure(client, ntsc)}))


main(*sys.argv[1:])
