"""One call of the API, as data."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Generic, TypeVar
from urllib.parse import quote

from .errors import ConfigurationError
from .flows import Reply
from .wire import WireModel, read_json

IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
Result = TypeVar("Result")
Model = TypeVar("Model", bound=WireModel)


@dataclass(frozen=True)
class Call(Generic[Result]):
    """A request, and how its response is read."""

    method: str
    path: str
    read: Callable[[Reply], Result]
    query: Mapping[str, Any] = field(default_factory=dict)
    """Names and values; None is left out, and a list repeats its name."""
    body: Mapping[str, Any] | None = None
    form: Mapping[str, str] | None = None
    idempotency_key: str | None = None
    needs_token: bool = True
    file: BinaryIO | None = None
    """The file to which the body is written as it arrives."""


def path_of(template: str, **values: str) -> str:
    """The path with its values: `path_of("/links/{id}", id="mk_…")`."""
    return template.format_map({name: _segment(name, value) for name, value in values.items()})


def _segment(name: str, value: str) -> str:
    # A path with an empty part or with dots would be another one.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ConfigurationError(f"{value!r} is not a valid {name}.")
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise ConfigurationError(f"{value!a} is not a valid {name}.") from None


def key_or_new(given: str | None) -> str:
    """The caller's idempotency key, or a new one. It belongs to the call, so its retries repeat it."""
    if given is None:
        return str(uuid.uuid4())
    if isinstance(given, str) and IDEMPOTENCY_KEY.fullmatch(given):
        return given
    raise ConfigurationError("idempotency_key must be 1 to 255 visible ASCII characters.")


def model(kind: type[Model]) -> Callable[[Reply], Model]:
    """Reads JSON as a model."""
    return lambda reply: kind.model_validate(read_json(reply.body))


def text(reply: Reply) -> str:
    """Reads text."""
    return reply.body.decode()


def nothing(_reply: Reply) -> None:
    """Reads nothing: the response is empty, or was written to a file."""
