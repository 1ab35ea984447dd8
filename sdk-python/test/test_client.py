"""Run by client.test.ts, which starts a server and describes it in DOCENT_TEST."""

import json
import os
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from docent import (  # noqa: E402
    Docent,
    DocentConnectionError,
    DocentError,
    DocentTimeoutError,
    WebhookVerificationError,
    verify_webhook,
)

GIVEN = json.loads(os.environ["DOCENT_TEST"])
BOT = GIVEN["botId"]
QUESTION = "Can I send goods back?"


def caller() -> Docent:
    return Docent(GIVEN["baseUrl"] + "/", token=GIVEN["key"])


class Chat(unittest.TestCase):
    def test_answers_and_continues_the_session(self):
        first = caller().chat(BOT, QUESTION, user_id="ada", metadata={"page": 1})
        self.assertIn("30 days", first["response"])
        second = caller().chat(BOT, "Within how many days?", session_id=first["session_id"])
        self.assertEqual(second["session_id"], first["session_id"])

    def test_repeats_an_idempotent_call(self):
        first, second = (caller().chat(BOT, QUESTION, idempotency_key="py") for _ in range(2))
        self.assertEqual(first, second)

    def test_streams_start_deltas_and_done(self):
        events = list(caller().chat_stream(BOT, QUESTION))
        self.assertEqual(events[0]["type"], "start")
        done = events[-1]
        self.assertEqual(done["type"], "done")
        self.assertEqual("".join(event["text"] for event in events if event["type"] == "delta"), done["response"])

    def test_raises_the_error_of_the_service(self):
        with self.assertRaises(DocentError) as raised:
            caller().chat(BOT, "")
        self.assertEqual((raised.exception.status, raised.exception.code), (400, "validation_failed"))
        self.assertEqual(raised.exception.details[0]["path"], "message")
        self.assertRegex(raised.exception.request_id, "^req_")
        with self.assertRaises(DocentError) as raised:
            next(caller().chat_stream("bot_other", "Hi"))
        self.assertEqual(raised.exception.code, "bot_not_found")

    def test_calls_any_route(self):
        owner = Docent(GIVEN["baseUrl"], token=GIVEN["adminToken"])
        page = owner.request("GET /api/manage/v1/bots/{botId}/keys", params={"botId": BOT}, query={"limit": 1})
        self.assertEqual(len(page["items"]), 1)
        self.assertIn("process_start_time_seconds", owner.request("GET /metrics"))


class Webhooks(unittest.TestCase):
    def test_takes_what_the_server_signed_and_nothing_else(self):
        webhook, secret = GIVEN["webhook"], GIVEN["secret"]
        now = int(webhook["headers"]["webhook-timestamp"])
        event = verify_webhook(webhook["body"], webhook["headers"], ["whsec_b3RoZXI=", secret], now=now)
        self.assertEqual(event["bot_id"], BOT)
        for body, one, moment in [
            (webhook["body"] + " ", secret, now),
            (webhook["body"], "whsec_b3RoZXI=", now),
            (webhook["body"], "not a secret", now),
            (webhook["body"], secret, now + 301),
        ]:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, webhook["headers"], one, now=moment)


class Connections(unittest.TestCase):
    def serve(self, *responses):
        """A server that gives these in turn: a status with a body, or nothing. The last one stays."""
        keys = []
        done = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                keys.append(self.headers["idempotency-key"])
                self.rfile.read(int(self.headers["content-length"]))
                response = responses[min(len(keys), len(responses)) - 1]
                if response == "silent":
                    done.wait(5)
                elif response != "break":
                    status, headers, body = response
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(done.set)
        return f"http://127.0.0.1:{server.server_port}", keys

    answer = (200, {"content-type": "application/json"}, b'{"response":"Yes."}')
    busy = (503, {"retry-after": "1"}, b'{"error":{"code":"unavailable","message":"No."}}')

    def test_tries_again_with_the_same_idempotency_key(self):
        for first in ("break", self.busy, (502, {}, b"<h1>Bad gateway</h1>")):
            url, keys = self.serve(first, self.answer)
            self.assertEqual(Docent(url).chat("b", "m"), {"response": "Yes."})
            self.assertEqual(len(keys), 2)
            self.assertTrue(keys[0] and keys[0] == keys[1])

    def test_does_not_repeat_what_would_have_an_effect_twice_or_none(self):
        for route, response in [
            ("POST /api/manage/v1/bots", "break"),
            ("POST /api/v1/chat", (429, {"retry-after": "1"}, b'{"error":{"code":"daily_quota_exceeded","message":""}}')),
            ("POST /api/v1/chat", (429, {"retry-after": "900"}, b'{"error":{"code":"rate_limited","message":""}}')),
        ]:
            url, keys = self.serve(response)
            with self.assertRaises((DocentError, DocentConnectionError)):
                Docent(url).request(route, body={})
            self.assertEqual(len(keys), 1)

    def test_names_the_address_that_cannot_be_reached(self):
        with self.assertRaises(DocentConnectionError) as raised:
            Docent("http://127.0.0.1:1", max_retries=0).request("GET /livez", query={"a": 1})
        self.assertEqual(raised.exception.url, "http://127.0.0.1:1/livez")
        self.assertIn("http://127.0.0.1:1/livez", str(raised.exception))

    def test_gives_up_on_a_silent_server(self):
        url, keys = self.serve("silent")
        with self.assertRaises(DocentTimeoutError):
            Docent(url, timeout=0.2, max_retries=1).chat("b", "m")
        self.assertEqual(len(keys), 2)

    def test_does_not_take_a_cut_stream_for_an_answer(self):
        url, _ = self.serve((200, {}, b'event: delta\ndata: {"text":"a"}\n\n'))
        with self.assertRaises(DocentConnectionError):
            list(Docent(url).chat_stream("b", "m"))

    def test_does_not_take_the_token_to_another_address(self):
        url, keys = self.serve((302, {"location": "/elsewhere"}, b""))
        with self.assertRaises(DocentError) as raised:
            Docent(url, token="dct_chat_x").chat("b", "m")
        self.assertEqual((raised.exception.code, len(keys)), ("unexpected_answer", 1))


if __name__ == "__main__":
    unittest.main()
