"""Sandbox: links without a user interface, scripts, faults, and worlds with a clock of their own."""

from __future__ import annotations

from typing import Unpack

from ..calls import Call, model, nothing, path_of
from ..models import (
    Fault,
    Link,
    SandboxAdvanceWorldResult,
    SandboxChange,
    SandboxListFaultsResult,
    SandboxListWorldsResult,
    SandboxRunScriptResult,
    World,
)
from ..params import (
    SandboxAdvanceWorldRequest,
    SandboxCreateFaultRequest,
    SandboxCreateWorldRequest,
    SandboxExpireAuthRequest,
    SandboxRunHoldingsScriptRequest,
    SandboxRunLiabilitiesScriptRequest,
    SandboxRunScriptRequest,
)
from . import create_sandbox_link
from .resource import Resource, RunnerT, operation


class Sandbox(Resource[RunnerT]):
    """Sandbox: what a test needs of a bank. A Live key pair gets a PermissionDeniedError."""

    create_link = create_sandbox_link.create_link

    @operation
    def run_script(
        self, link_id: str, **body: Unpack[SandboxRunScriptRequest]
    ) -> Call[SandboxRunScriptResult]:
        """Writes transactions at the sandbox bank, all of the `script` or none."""
        path = path_of("/sandbox/links/{id}/transactions", id=link_id)
        return Call("POST", path, model(SandboxRunScriptResult), body=body)

    @operation
    def run_holdings_script(
        self, link_id: str, **body: Unpack[SandboxRunHoldingsScriptRequest]
    ) -> Call[SandboxChange]:
        """Changes holdings at the sandbox bank, by all of the `script` or none."""
        path = path_of("/sandbox/links/{id}/holdings", id=link_id)
        return Call("POST", path, model(SandboxChange), body=body)

    @operation
    def run_liabilities_script(
        self, link_id: str, **body: Unpack[SandboxRunLiabilitiesScriptRequest]
    ) -> Call[SandboxChange]:
        """Changes debts at the sandbox bank, by all of the `script` or none."""
        path = path_of("/sandbox/links/{id}/liabilities", id=link_id)
        return Call("POST", path, model(SandboxChange), body=body)

    @operation
    def expire_auth(self, link_id: str, **body: Unpack[SandboxExpireAuthRequest]) -> Call[Link]:
        """Ends the permission of a link at the bank."""
        path = path_of("/sandbox/links/{id}/expire-auth", id=link_id)
        return Call("POST", path, model(Link), body=body)

    @operation
    def create_fault(
        self, institution_id: str, **body: Unpack[SandboxCreateFaultRequest]
    ) -> Call[Fault]:
        """Makes the next requests to a sandbox bank fail."""
        path = path_of(
            "/sandbox/institutions/{institution_id}/faults", institution_id=institution_id
        )
        return Call("POST", path, model(Fault), body=body)

    @operation
    def list_faults(self, institution_id: str) -> Call[SandboxListFaultsResult]:
        """Returns the `faults` that are not used up."""
        path = path_of(
            "/sandbox/institutions/{institution_id}/faults", institution_id=institution_id
        )
        return Call("GET", path, model(SandboxListFaultsResult))

    @operation
    def delete_fault(self, fault_id: str) -> Call[None]:
        """Ends a fault."""
        return Call("DELETE", path_of("/sandbox/faults/{fault_id}", fault_id=fault_id), nothing)

    @operation
    def create_world(self, **body: Unpack[SandboxCreateWorldRequest]) -> Call[World]:
        """Creates a world with a clock of its own."""
        return Call("POST", "/sandbox/worlds", model(World), body=body)

    @operation
    def list_worlds(self) -> Call[SandboxListWorldsResult]:
        """Returns the `worlds` of this app."""
        return Call("GET", "/sandbox/worlds", model(SandboxListWorldsResult))

    @operation
    def get_world(self, world_id: str) -> Call[World]:
        """Returns a world."""
        return Call("GET", path_of("/sandbox/worlds/{world_id}", world_id=world_id), model(World))

    @operation
    def advance_world(
        self, world_id: str, **body: Unpack[SandboxAdvanceWorldRequest]
    ) -> Call[SandboxAdvanceWorldResult]:
        """Moves the clock of a world `by` a duration or `to` a time, and runs what is due.

        It may take a minute: `client.with_options(timeout=90).sandbox.advance_world(…)`.
        """
        path = path_of("/sandbox/worlds/{world_id}/advance", world_id=world_id)
        return Call("POST", path, model(SandboxAdvanceWorldResult), body=body)

    @operation
    def delete_world(self, world_id: str) -> Call[None]:
        """Deletes a world with its links."""
        return Call("DELETE", path_of("/sandbox/worlds/{world_id}", world_id=world_id), nothing)
