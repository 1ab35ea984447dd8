"""One method that calls any route, and shortcuts for the chat."""

import http.client
import json
import random
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Iterable, Iterator, Mapping, Optional, Tuple

from .errors import DocentConnectionError, DocentError, DocentTimeoutError, to_docent_error
from .types import ChatEvent, ChatResponse

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 8.0
#: A caller that must wait longer is told so instead.
LONGEST_RETRY_AFTER_SECONDS = 30.0
#: Routes whose repetition the server recognises by an Idempotency-Key.
KEYED = ("POST /api/v1/chat", "POST /v1/chat/completions", "POST /v1/responses")

Metadata = Mapping[str, Any]


class Docent:
    """
    :param base_url: The address of the service, such as "https://chat.example.com".
    :param token: An API key for the chat, a sync key for products, or a management token.
    :param timeout: The longest silence before and within a response, in seconds.
    :param max_retries: How often a request is sent again after a broken connection, a time-out, a 5xx or a short 429.
        Only what can be repeated safely: reads, replacements, and messages, which get an Idempotency-Key.
    """

    def __init__(
        self, base_url: str, token: Optional[str] = None, *, timeout: float = 60.0, max_retries: int = 2
    ) -> None:
        self._root = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    def chat(
        self,
        bot_id: str,
        message: str,
        *,
        session_id: Optional[str] = None,
        user_id: Optional[str] = None,
        metadata: Optional[Metadata] = None,
        page_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> ChatResponse:
        body = _message(bot_id, message, session_id, user_id, metadata, page_url)
        headers = {"idempotency-key": idempotency_key} if idempotency_key else {}
        return self.request("POST /api/v1/chat", body=body, headers=headers)

    def chat_stream(
        self,
        bot_id: str,
        message: str,
        *,
        session_id: Optional[str] = None,
        user_id: Optional[str] = None,
        metadata: Optional[Metadata] = None,
        page_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Iterator[ChatEvent]:
        """Streams the answer: ``start``, any number of ``delta``, then ``done`` with the final answer."""
        body = {**_message(bot_id, message, session_id, user_id, metadata, page_url), "stream": True}
        headers = {"idempotency-key": idempotency_key} if idempotency_key else {}
        request = self._to_request("POST /api/v1/chat", body=body, headers=headers)
        # Closed when the consumer stops listening, which ends the request.
        with self._send(request) as response:
            try:
                for name, data in _server_sent_events(response):
                    if name == "error":
                        raise _streamed_error(json.loads(data))
                    # Ignore event types added by later versions.
                    if name in ("start", "delta", "done"):
                        yield {**json.loads(data), "type": name}
                    if name == "done":
                        return
            except (OSError, http.client.HTTPException) as error:
                raise _connection_error(error, request, self._timeout) from error
        # A proxy may end the response properly: without "done" the answer is not whole.
        raise DocentConnectionError("The connection ended before the answer did.", _place(request))

    def request(
        self,
        route: str,
        *,
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Calls any route by its name, such as ``GET /api/manage/v1/bots/{botId}``."""
        request = self._to_request(route, params=params, query=query, body=body, headers=headers)
        return self._send(request, read=True)

    def _to_request(
        self,
        route: str,
        *,
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> urllib.request.Request:
        method, path = route.split(" ", 1)
        filled = re.sub(r"\{(\w+)\}", lambda name: urllib.parse.quote((params or {})[name[1]], safe=""), path)
        given = {name: _query_value(value) for name, value in (query or {}).items() if value is not None}
        url = self._root + filled + (f"?{urllib.parse.urlencode(given)}" if given else "")
        sent: Dict[str, str] = {"user-agent": "docent-python", **_credential(self._token)}
        if body is not None:
            sent["content-type"] = "application/json"
        if self._max_retries > 0 and route in KEYED:
            sent["idempotency-key"] = uuid.uuid4().hex
        sent.update({name.lower(): value for name, value in (headers or {}).items()})
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(url, data=data, headers=sent, method=method)

    def _send(self, request: urllib.request.Request, read: bool = False) -> Any:
        """The open response, or what was read from it."""
        retries = 0
        while True:
            try:
                return self._attempt(request, read)
            except (DocentError, DocentConnectionError) as error:
                if retries >= self._max_retries or not _is_repeatable(request, error):
                    raise
                time.sleep(_wait_seconds(error, retries))
                retries += 1

    def _attempt(self, request: urllib.request.Request, read: bool) -> Any:
        try:
            response = self._opener.open(request, timeout=self._timeout)
            if not read:
                return response
            with response:
                return _content(response)
        except urllib.error.HTTPError as error:
            with error:
                raise to_docent_error(error.code, error.headers, error.read()) from None
        except (OSError, http.client.HTTPException) as error:
            raise _connection_error(error, request, self._timeout) from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _message(
    bot_id: str,
    message: str,
    session_id: Optional[str],
    user_id: Optional[str],
    metadata: Optional[Metadata],
    page_url: Optional[str],
) -> Dict[str, Any]:
    optional = {"session_id": session_id, "user_id": user_id, "metadata": metadata, "page_url": page_url}
    return {
        "bot_id": bot_id,
        "message": message,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _credential(token: Optional[str]) -> Dict[str, str]:
    if token is None:
        return {}
    return {"x-service-key": token} if token.startswith("dct_sync_") else {"authorization": f"Bearer {token}"}


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _content(response: http.client.HTTPResponse) -> Any:
    body = response.read()
    kind = response.headers.get("content-type", "")
    # Files are returned as bytes.
    if kind.startswith("application/octet-stream"):
        return body
    if not body:
        return None
    return json.loads(body) if kind.startswith("application/json") else body.decode()


def _server_sent_events(lines: Iterable[bytes]) -> Iterator[Tuple[str, str]]:
    name, data = "message", []
    for line in lines:
        field, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif line.strip() == b"":
            if data:
                yield name, "\n".join(data)
            name, data = "message", []


def _streamed_error(error: Dict[str, Any]) -> DocentError:
    return DocentError(
        error["message"],
        status=error["status"],
        code=error["code"],
        details=error.get("details"),
        request_id=error.get("request_id"),
    )


def _place(request: urllib.request.Request) -> str:
    return request.full_url.split("?")[0]


def _connection_error(error: Exception, request: urllib.request.Request, timeout: float) -> DocentConnectionError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    url = _place(request)
    # Before Python 3.10 a socket's time-out was an error of its own.
    if isinstance(reason, (TimeoutError, socket.timeout)):
        return DocentTimeoutError(f"{url} did not answer within {timeout:g} seconds.", url)
    return DocentConnectionError(f"{url} cannot be reached ({reason}).", url)


def _is_repeatable(request: urllib.request.Request, error: Exception) -> bool:
    """Whether sending it twice has the effect of sending it once, or the server said that it did not run."""
    is_idempotent = request.get_method() in ("GET", "PUT") or request.has_header("Idempotency-key")
    if not isinstance(error, DocentError):
        return is_idempotent
    retry_after = error.retry_after or 0
    if retry_after > LONGEST_RETRY_AFTER_SECONDS:
        return False
    if error.status == 429:
        return error.code != "daily_quota_exceeded"
    # The first attempt is still running, and says when to look again.
    if error.code == "idempotency_conflict":
        return retry_after > 0
    return is_idempotent and error.status >= 500


def _wait_seconds(error: Exception, retries: int) -> float:
    if isinstance(error, DocentError) and error.retry_after:
        return error.retry_after
    # Random, so that many callers do not come back at once.
    return min(FIRST_WAIT_SECONDS * 2**retries, LONGEST_WAIT_SECONDS) * random.uniform(0.5, 1)
