"""One call of the API, as data."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Generic, TypeVar
from urllib.parse import quote

from .errors import ConfigurationError
from .flows import Reply
from .wire import WireModel, read_json

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
    for name, value in values.items():
        if value in ("", ".", ".."):  # The path would be another one.
            raise ConfigurationError(f"{value!r} is not a valid {name}.")
    return template.format_map({name: quote(value, safe="") for name, value in values.items()})


def key_or_new(given: str | None) -> str:
    """The caller's idempotency key, or a new one. It belongs to the call, so its retries repeat it."""
    return given if given is not None else str(uuid.uuid4())


def model(kind: type[Model]) -> Callable[[Reply], Model]:
    """Reads JSON as a model."""
    return lambda reply: kind.model_validate(read_json(reply.body))


def text(reply: Reply) -> str:
    """Reads text."""
    return reply.body.decode()


def nothing(_reply: Reply) -> None:
    """Reads nothing: the response is empty, or was written to a file."""
