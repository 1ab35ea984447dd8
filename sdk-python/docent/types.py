"""What crosses the wire, as the API reference describes it."""

from typing import List, Literal, TypedDict, Union


class Source(TypedDict):
    title: str
    url: str


class ChatResponse(TypedDict):
    response: str
    """May contain Markdown."""
    sources: List[Source]
    session_id: str
    """Send it with the next message to continue the conversation."""
    message_id: str
    confidence: float
    answered: bool
    decision: str


class Start(TypedDict):
    type: Literal["start"]
    session_id: str
    message_id: str


class Delta(TypedDict):
    type: Literal["delta"]
    text: str


class Done(ChatResponse):
    """The whole answer, which replaces the deltas."""

    type: Literal["done"]


ChatEvent = Union[Start, Delta, Done]


class ErrorDetail(TypedDict):
    path: str
    message: str
