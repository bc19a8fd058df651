"""Lists in pages: iterate over all of it, or read one page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from .calls import Call
from .engine import Engine
from .responses import ApiResponse
from .runners import AsyncRunner, SyncRunner

Item = TypeVar("Item")
Body = TypeVar("Body")


@dataclass(frozen=True)
class Page(Generic[Item, Body]):
    """One page of a list. It may be empty although another one follows."""

    items: list[Item]
    next: str | int | None
    """The `cursor` (or the `page`, of transactions) of the next page; None at the end."""
    response: ApiResponse[Body]
    """The response that brought it, with its headers and its request id."""

    @property
    def body(self) -> Body:
        """The whole body, with what belongs to the page as a whole."""
        return self.response.data


@dataclass(frozen=True)
class PagedCall(Generic[Item, Body]):
    """The call of the first page, and how each page leads to the next one."""

    first: Call[Body]
    items: Callable[[Body], list[Item]]
    next: Callable[[Body], str | int | None]
    parameter: str = "cursor"
    """The query parameter that selects a page."""

    def call(self, position: str | int | None) -> Call[Body]:
        """The call of the page at a position; None is the first one."""
        if position is None:
            return self.first
        return replace(self.first, query={**self.first.query, self.parameter: position})

    def page(self, response: ApiResponse[Body]) -> Page[Item, Body]:
        """The page of a response."""
        return Page(self.items(response.data), self.next(response.data), response)


class PagedList(Generic[Item, Body]):
    """A list: `for item in …` reads all of it, page by page; `.page()` reads one page."""

    def __init__(self, paged: PagedCall[Item, Body], engine: Engine, runner: SyncRunner) -> None:
        self._paged = paged
        self._engine = engine
        self._runner = runner

    def page(self) -> Page[Item, Body]:
        """One page: the first, or that of the `cursor` or `page` which the list was asked for."""
        return self._read(None)

    def pages(self) -> Iterator[Page[Item, Body]]:
        """The pages, from that one to the last."""
        page = self._read(None)
        yield page
        while page.next is not None:
            page = self._read(page.next)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.items

    def _read(self, position: str | int | None) -> Page[Item, Body]:
        call = self._paged.call(position)
        return self._paged.page(self._runner.run(self._engine.respond(call)))


class AsyncPagedList(Generic[Item, Body]):
    """A list: `async for item in …` reads all of it, page by page; `await ….page()` reads one page."""

    def __init__(self, paged: PagedCall[Item, Body], engine: Engine, runner: AsyncRunner) -> None:
        self._paged = paged
        self._engine = engine
        self._runner = runner

    async def page(self) -> Page[Item, Body]:
        """One page: the first, or that of the `cursor` or `page` which the list was asked for."""
        return await self._read(None)

    async def pages(self) -> AsyncIterator[Page[Item, Body]]:
        """The pages, from that one to the last."""
        page = await self._read(None)
        yield page
        while page.next is not None:
            page = await self._read(page.next)
            yield page

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def _read(self, position: str | int | None) -> Page[Item, Body]:
        call = self._paged.call(position)
        return self._paged.page(await self._runner.run(self._engine.respond(call)))


class NumberedPage(Protocol):
    """A response that says how many rows there are in all."""

    total: int
    page: int


def next_page_number(body: NumberedPage, rows: Sized, size: int) -> int | None:
    """The number of the page after this one, which has `rows`, when pages have `size` rows."""
    read = (body.page - 1) * size + len(rows)
    return body.page + 1 if rows and read < body.total else None
