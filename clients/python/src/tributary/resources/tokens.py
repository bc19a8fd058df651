"""Tokens: what the key pair of this client may do. The client fetches its tokens itself."""

from __future__ import annotations

from ..calls import Call, model
from ..models import TokensIntrospectResult
from .resource import Resource, RunnerT, operation


class Tokens(Resource[RunnerT]):
    """Tokens: what the key pair of this client may do. The client fetches its tokens itself."""

    @operation
    def introspect(self) -> Call[TokensIntrospectResult]:
        """Returns the app, the environment and the scopes of the client's token."""
        return Call("GET", "/auth/introspect", model(TokensIntrospectResult))
