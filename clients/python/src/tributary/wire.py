"""JSON as it is on the wire: money is a number, and keeps every digit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict


class WireModel(BaseModel):
    """The base of the generated models. Members that a newer service adds are kept."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)

    def to_wire(self) -> dict[str, Any]:
        """The members that the service sent, by their names on the wire."""
        # A warning would print values.
        return self.model_dump(by_alias=True, exclude_unset=True, warnings="none")

    def to_json(self) -> str:
        """The same as JSON; decimals are numbers."""
        return write_json(self.to_wire())


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text, with decimals instead of binary numbers."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"JSON has no {name}.")


def write_json(value: Any) -> str:
    """The JSON of a value; decimals are numbers, which `json` of the standard library cannot write."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("JSON has no such number.")
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(value.isoformat())
    if isinstance(value, WireModel):
        return value.to_json()
    if isinstance(value, Mapping):
        members = (f"{json.dumps(str(key))}:{write_json(entry)}" for key, entry in value.items())
        return "{" + ",".join(members) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return "[" + ",".join(write_json(entry) for entry in value) + "]"
    return json.dumps(value, allow_nan=False)
