"""Client for Docent, the self-hosted chatbot service. Needs nothing but Python's standard library."""

from .client import Docent
from .errors import DocentConnectionError, DocentError, DocentTimeoutError, WebhookVerificationError
from .types import ChatEvent, ChatResponse, Delta, Done, ErrorDetail, Source, Start
from .webhooks import verify_webhook

__all__ = [
    "ChatEvent",
    "ChatResponse",
    "Delta",
    "Docent",
    "DocentConnectionError",
    "DocentError",
    "DocentTimeoutError",
    "Done",
    "ErrorDetail",
    "Source",
    "Start",
    "WebhookVerificationError",
    "verify_webhook",
]
