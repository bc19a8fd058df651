"""The parts of the resources of both clients.

A resource declares each call once, as a function that describes it:

    class Links(Resource[RunnerT]):
        @operation
        def get(self, link_id: str) -> Call[Link]:
            return Call("GET", path_of("/links/{id}", id=link_id), model(Link))

`operation` turns it into the method that programs use. `client.links.get(…)` of a `Tributary`
returns the Link; that of an `AsyncTributary` returns a coroutine of it. Both have `with_response`,
which returns the response too. `listing` makes methods of lists in pages, and `overloaded` one whose
arguments choose its result.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from ..calls import Call
from ..engine import Engine
from ..errors import ConfigurationError
from ..flows import Flow
from ..pages import AsyncPagedList, PagedCall, PagedList
from ..responses import ApiResponse
from ..runners import AsyncRunner, SyncRunner

P = ParamSpec("P")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Item = TypeVar("Item")
Body = TypeVar("Body")
Sync = TypeVar("Sync")
Async = TypeVar("Async")
RunnerT = TypeVar("RunnerT", bound=SyncRunner | AsyncRunner)


class Resource(Generic[RunnerT]):
    """The calls of one resource, for threads or for asyncio."""

    def __init__(self, engine: Engine, runner: RunnerT) -> None:
        self._engine = engine
        self._runner: RunnerT = runner


class SyncMethod(Protocol[P, Result_co]):
    """A method that makes one call."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result_co:
        """Makes the call, and returns its result."""

    def with_response(self, *args: P.args, **kwargs: P.kwargs) -> ApiResponse[Result_co]:
        """Makes the call, and returns its result with the response that brought it."""


class AsyncMethod(Protocol[P, Result_co]):
    """A method that makes one call, for asyncio."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, Result_co]:
        """Makes the call, and returns its result."""

    def with_response(
        self, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, ApiResponse[Result_co]]:
        """Makes the call, and returns its result with the response that brought it."""


class _Described:
    """The name, the text and the signature of the function below a decorator."""

    def __init__(self, describe: Callable[..., Any]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__
        self.__name__ = describe.__name__
        self.__signature__ = _with_result(inspect.signature(describe))

    def __call__(self, resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`Links.get(client.links, "mk_1")`, as with other methods of a class."""
        return self._bound(resource)(*args, **kwargs)

    def _bound(self, resource: Any) -> Any:
        raise NotImplementedError

    def _named(self, function: Any) -> Any:
        functools.update_wrapper(function, self._describe)
        _, *parameters = self.__signature__.parameters.values()
        function.__signature__ = self.__signature__.replace(parameters=parameters)
        return function


def _with_result(signature: inspect.Signature) -> inspect.Signature:
    """The signature of the method: it returns the result of the call that the function describes."""
    named = re.fullmatch(r"(Call|Flow|PagedCall)\[(.+)\]", str(signature.return_annotation))
    if named is None:
        return signature
    kind, result = named.groups()
    return signature.replace(
        return_annotation=f"PagedList[{result}]" if kind == "PagedCall" else result
    )


class _Operation(_Described):
    """Makes the call, or runs the flow, that a function describes."""

    def _bound(self, resource: Any) -> Any:
        def method(*args: Any, **kwargs: Any) -> Any:
            described = self._describe(resource, *args, **kwargs)
            is_call = isinstance(described, Call)
            flow = resource._engine.make(described) if is_call else described
            return resource._runner.run(flow)

        def with_response(*args: Any, **kwargs: Any) -> Any:
            described = self._describe(resource, *args, **kwargs)
            if not isinstance(described, Call):
                raise ConfigurationError(f"{self.__name__} is not one call of the API.")
            return resource._runner.run(resource._engine.respond(described))

        named = self._named(method)
        named.with_response = self._named(with_response)
        return named


class operation(_Operation, Generic[P, Result]):  # noqa: N801 -- a decorator
    """Makes a method of a function that describes a call, or of a flow."""

    def __init__(
        self, describe: Callable[Concatenate[Any, P], Call[Result] | Flow[Result]]
    ) -> None:
        super().__init__(describe)

    @overload
    def __get__(self, resource: None, owner: Any) -> operation[P, Result]: ...

    @overload
    def __get__(self, resource: Resource[SyncRunner], owner: Any) -> SyncMethod[P, Result]: ...

    @overload
    def __get__(self, resource: Resource[AsyncRunner], owner: Any) -> AsyncMethod[P, Result]: ...

    def __get__(self, resource: Any, owner: Any) -> Any:
        return self if resource is None else self._bound(resource)


class overloaded(_Operation, Generic[Sync, Async]):  # noqa: N801 -- beside `operation`
    """The same for a call whose arguments choose its result; its methods have types of their own."""

    @overload
    def __get__(self, resource: None, owner: Any) -> overloaded[Sync, Async]: ...

    @overload
    def __get__(self, resource: Resource[SyncRunner], owner: Any) -> Sync: ...

    @overload
    def __get__(self, resource: Resource[AsyncRunner], owner: Any) -> Async: ...

    def __get__(self, resource: Any, owner: Any) -> Any:
        return self if resource is None else self._bound(resource)


class listing(_Described, Generic[P, Item, Body]):  # noqa: N801 -- a decorator
    """Makes a method of a function that describes a list in pages."""

    def __init__(self, describe: Callable[Concatenate[Any, P], PagedCall[Item, Body]]) -> None:
        super().__init__(describe)

    @overload
    def __get__(self, resource: None, owner: Any) -> listing[P, Item, Body]: ...

    @overload
    def __get__(
        self, resource: Resource[SyncRunner], owner: Any
    ) -> Callable[P, PagedList[Item, Body]]: ...

    @overload
    def __get__(
        self, resource: Resource[AsyncRunner], owner: Any
    ) -> Callable[P, AsyncPagedList[Item, Body]]: ...

    def __get__(self, resource: Any, owner: Any) -> Any:
        return self if resource is None else self._bound(resource)

    def _bound(self, resource: Any) -> Any:
        def method(*args: Any, **kwargs: Any) -> Any:
            paged = self._describe(resource, *args, **kwargs)
            pages = PagedList if isinstance(resource._runner, SyncRunner) else AsyncPagedList
            return pages(paged, resource._engine, resource._runner)

        return self._named(method)
