"""Verifies that a webhook comes from Docent, unchanged and recent (Standard Webhooks)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Optional, Sequence, Union

from .errors import WebhookVerificationError

PREFIX = "whsec_"


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> Any:
    """
    Returns the event if one of the secrets signed it; raises otherwise.

    :param body: The raw body, not parsed and serialised again.
    :param secret: ``whsec_…``; several during rotation.
    :param tolerance_seconds: Maximum clock difference.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id"), given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if not message_id or not timestamp or not signatures:
        raise WebhookVerificationError("A webhook header is missing.")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookVerificationError("The timestamp is not a number.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The timestamp is too far from now.")
    raw = body.encode() if isinstance(body, str) else body
    content = f"{message_id}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        expected = b"v1," + base64.b64encode(hmac.new(_key(one), content, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures.split(" ")):
            return json.loads(raw)
    raise WebhookVerificationError("No signature fits.")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len(PREFIX) :], validate=True) if secret.startswith(PREFIX) else b""
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError('The secret must be one that begins with "whsec_".')
    return key
