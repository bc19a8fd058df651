"""Values that nothing prints."""

from __future__ import annotations


class Secret:
    """Holds a secret: its repr, its attributes and a debugger's list of them show none of it."""

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        """The secret itself."""
        return self.__value

    def __repr__(self) -> str:
        return "Secret(…)"
