"""The parts of the resources of both clients.

A resource declares each call once, as a function that describes it:

    class Links(Resource[RunnerT]):
        @operation
        def get(self, link_id: str) -> Call[Link]:
            return Call("GET", path_of("/links/{id}", id=link_id), model(Link))

`operation` turns it into the method that programs use. `client.links.get(…)` of a `Tributary`
returns the Link; that of an `AsyncTributary` returns a coroutine of it. `listing` does the same
for lists in pages.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from ..calls import Call
from ..engine import Engine
from ..flows import Flow
from ..pages import AsyncPages, PagedCall, Pages
from ..runners import AsyncRunner, SyncRunner

P = ParamSpec("P")
Result = TypeVar("Result")
Item = TypeVar("Item")
Body = TypeVar("Body")
RunnerT = TypeVar("RunnerT", bound=SyncRunner | AsyncRunner)


class Resource(Generic[RunnerT]):
    """The calls of one resource, for threads or for asyncio."""

    def __init__(self, engine: Engine, runner: RunnerT) -> None:
        self._engine = engine
        self._runner: RunnerT = runner


class operation(Generic[P, Result]):  # noqa: N801 -- a decorator
    """Makes a method of a function that describes a call, or of a flow."""

    def __init__(
        self, describe: Callable[Concatenate[Any, P], Call[Result] | Flow[Result]]
    ) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, resource: None, owner: Any) -> operation[P, Result]: ...

    @overload
    def __get__(self, resource: Resource[SyncRunner], owner: Any) -> Callable[P, Result]: ...

    @overload
    def __get__(
        self, resource: Resource[AsyncRunner], owner: Any
    ) -> Callable[P, Coroutine[Any, Any, Result]]: ...

    def __get__(self, resource: Any, owner: Any) -> Any:
        if resource is None:
            return self

        @functools.wraps(self._describe)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            described = self._describe(resource, *args, **kwargs)
            is_call = isinstance(described, Call)
            flow = resource._engine.make(described) if is_call else described
            return resource._runner.run(flow)

        return method


class listing(Generic[P, Item, Body]):  # noqa: N801 -- a decorator
    """Makes a method of a function that describes a list in pages."""

    def __init__(self, describe: Callable[Concatenate[Any, P], PagedCall[Item, Body]]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, resource: None, owner: Any) -> listing[P, Item, Body]: ...

    @overload
    def __get__(
        self, resource: Resource[SyncRunner], owner: Any
    ) -> Callable[P, Pages[Item, Body]]: ...

    @overload
    def __get__(
        self, resource: Resource[AsyncRunner], owner: Any
    ) -> Callable[P, AsyncPages[Item, Body]]: ...

    def __get__(self, resource: Any, owner: Any) -> Any:
        if resource is None:
            return self

        @functools.wraps(self._describe)
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            paged = self._describe(resource, *args, **kwargs)
            pages = Pages if isinstance(resource._runner, SyncRunner) else AsyncPages
            return pages(paged, resource._engine, resource._runner)

        return method
