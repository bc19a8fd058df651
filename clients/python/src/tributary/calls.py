"""One call of the API, as data."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, BinaryIO, Generic, TypeVar
from urllib.parse import quote, urlencode

from .errors import ConfigurationError
from .flows import Reply
from .wire import WireModel, read_json, write_json

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

    @cached_property
    def query_string(self) -> str:
        """The query with its question mark, or nothing."""
        return _query_string(self.query)

    @cached_property
    def content(self) -> bytes | None:
        """The bytes of the body."""
        if self.form is not None:
            return urlencode(self.form).encode()
        return None if self.body is None else _json(self.body)


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


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return write_json(body).encode()
    except (TypeError, ValueError, RecursionError):
        # The text of the error may hold a part of the body.
        raise ConfigurationError("The body has a value that JSON cannot hold.") from None


def _query_string(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, _query_value(name, each))
        for name, value in query.items()
        if value is not None
        for each in (value if _is_list(value) else [value])
    ]
    try:
        return f"?{urlencode(pairs)}" if pairs else ""
    except UnicodeEncodeError:
        raise ConfigurationError("A parameter is not text that can be sent.") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _query_value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str | int | float | Decimal):
        return str(value)
    raise ConfigurationError(f"The parameter {name} cannot be sent.")
