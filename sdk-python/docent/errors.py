import json
from typing import List, Mapping, Optional

from .types import ErrorDetail


class DocentError(Exception):
    """An error response of the service."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: Optional[List[ErrorDetail]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: From the service's catalogue; "unexpected_answer" when something else answered, such as a proxy.
        self.code = code
        #: One entry per invalid field.
        self.details = details or []
        self.request_id = request_id
        #: Seconds to wait before retrying.
        self.retry_after = retry_after


class DocentConnectionError(Exception):
    """No response: the address is wrong, the server is down, or the connection broke."""

    def __init__(self, message: str, url: str) -> None:
        super().__init__(message)
        #: The address that was called, without its query.
        self.url = url


class DocentTimeoutError(DocentConnectionError):
    """The server was silent for longer than the time-out."""


class WebhookVerificationError(Exception):
    """For the receiver's own log: do not tell the sender the reason."""


def to_docent_error(status: int, headers: Mapping[str, str], body: bytes) -> DocentError:
    code = "unexpected_answer"
    message = f"The answer has status {status} and is not one of Docent's."
    details: List[ErrorDetail] = []
    try:
        error = json.loads(body)["error"]
        code, message, details = str(error["code"]), str(error["message"]), error.get("details", [])
    except (ValueError, KeyError, TypeError, AttributeError):
        pass  # Not the service's own response: perhaps a proxy's error page.
    retry_after = headers.get("retry-after")
    return DocentError(
        message,
        status=status,
        code=code,
        details=details,
        request_id=headers.get("x-request-id"),
        retry_after=float(retry_after) if retry_after and retry_after.isdigit() else None,
    )
