"""The call `sandbox.create_link`, whose argument `result` chooses what it returns."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Literal, Protocol, Unpack, overload

from ..calls import Call, model
from ..models import CreatedSandboxLink, CreatedSandboxToken
from ..params import SandboxCreateLinkRequest
from ..responses import ApiResponse
from .resource import overloaded


class SyncCreateLink(Protocol):
    """Creates a link without a user interface."""

    @overload
    def __call__(
        self, *, result: Literal["link"] = "link", **body: Unpack[SandboxCreateLinkRequest]
    ) -> CreatedSandboxLink: ...

    @overload
    def __call__(
        self, *, result: Literal["exchangeable_token"], **body: Unpack[SandboxCreateLinkRequest]
    ) -> CreatedSandboxToken: ...

    @overload
    def with_response(
        self, *, result: Literal["link"] = "link", **body: Unpack[SandboxCreateLinkRequest]
    ) -> ApiResponse[CreatedSandboxLink]: ...

    @overload
    def with_response(
        self, *, result: Literal["exchangeable_token"], **body: Unpack[SandboxCreateLinkRequest]
    ) -> ApiResponse[CreatedSandboxToken]: ...


class AsyncCreateLink(Protocol):
    """Creates a link without a user interface, for asyncio."""

    @overload
    def __call__(
        self, *, result: Literal["link"] = "link", **body: Unpack[SandboxCreateLinkRequest]
    ) -> Coroutine[Any, Any, CreatedSandboxLink]: ...

    @overload
    def __call__(
        self, *, result: Literal["exchangeable_token"], **body: Unpack[SandboxCreateLinkRequest]
    ) -> Coroutine[Any, Any, CreatedSandboxToken]: ...

    @overload
    def with_response(
        self, *, result: Literal["link"] = "link", **body: Unpack[SandboxCreateLinkRequest]
    ) -> Coroutine[Any, Any, ApiResponse[CreatedSandboxLink]]: ...

    @overload
    def with_response(
        self, *, result: Literal["exchangeable_token"], **body: Unpack[SandboxCreateLinkRequest]
    ) -> Coroutine[Any, Any, ApiResponse[CreatedSandboxToken]]: ...


class CreateSandboxLinkBody(SandboxCreateLinkRequest, total=False):
    """The body with the member that the methods declare by themselves."""

    result: Literal["link", "exchangeable_token"]


@overloaded[SyncCreateLink, AsyncCreateLink]
def create_link(
    self: Any, **body: Unpack[CreateSandboxLinkBody]
) -> Call[CreatedSandboxLink | CreatedSandboxToken]:
    """Creates a link without a user interface: `create_link(customer_user={"id": "user-1"})`.

    Returns its `link_id` and `link`; with `result="exchangeable_token"` a token for
    `link_sessions.exchange_token`.
    """
    is_token = body.get("result") == "exchangeable_token"
    kind = CreatedSandboxToken if is_token else CreatedSandboxLink
    return Call("POST", "/sandbox/link", model(kind), body=body)
