"""The clients: `Tributary` for threads, `AsyncTributary` for asyncio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Generic, Self

import httpx2

from .attempts import OnAttempt
from .configuration import Configuration, Environment, configuration_of
from .engine import Engine
from .resources.accounts import Accounts
from .resources.holdings import Holdings
from .resources.identity import Identity
from .resources.institutions import Institutions
from .resources.investment_transactions import InvestmentTransactions
from .resources.liabilities import Liabilities
from .resources.link_sessions import LinkSessions
from .resources.links import Links
from .resources.recurring import Recurring
from .resources.resource import RunnerT
from .resources.sandbox import Sandbox
from .resources.tokens import Tokens as TokensResource
from .resources.transactions import Transactions
from .resources.users import Users
from .resources.webhooks import Webhooks
from .runners import AsyncRunner, SyncRunner
from .tokens import Tokens
from .webhook_verification import KeySet


class _Client(Generic[RunnerT]):
    def _set_up(
        self, configuration: Configuration, runner: RunnerT, tokens: Tokens, keys: KeySet
    ) -> None:
        self._configuration = configuration
        self._runner: RunnerT = runner
        self._tokens = tokens
        self._keys = keys
        engine = Engine(configuration, tokens)
        self.accounts: Accounts[RunnerT] = Accounts(engine, runner)
        self.holdings: Holdings[RunnerT] = Holdings(engine, runner)
        self.identity: Identity[RunnerT] = Identity(engine, runner)
        self.institutions: Institutions[RunnerT] = Institutions(engine, runner)
        self.investment_transactions: InvestmentTransactions[RunnerT] = InvestmentTransactions(
            engine, runner
        )
        self.liabilities: Liabilities[RunnerT] = Liabilities(engine, runner)
        self.link_sessions: LinkSessions[RunnerT] = LinkSessions(engine, runner)
        self.links: Links[RunnerT] = Links(engine, runner)
        self.recurring: Recurring[RunnerT] = Recurring(engine, runner)
        self.sandbox: Sandbox[RunnerT] = Sandbox(engine, runner)
        self.tokens: TokensResource[RunnerT] = TokensResource(engine, runner)
        self.transactions: Transactions[RunnerT] = Transactions(engine, runner)
        self.users: Users[RunnerT] = Users(engine, runner)
        self.webhooks: Webhooks[RunnerT] = Webhooks(engine, runner, keys)

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Self:
        """The same client with another time limit (in seconds) or number of retries.

        It shares the connections and the token: `client.with_options(max_retries=0).links.get(…)`.
        """
        configuration = self._configuration
        other = type(self).__new__(type(self))
        other._set_up(
            replace(
                configuration,
                timeout=configuration.timeout if timeout is None else timeout,
                max_retries=configuration.max_retries if max_retries is None else max_retries,
            ),
            self._runner,
            self._tokens,
            self._keys,
        )
        return other

    def __repr__(self) -> str:
        pair = self._configuration.key_pair
        return f"{type(self).__name__}(base_url={self._configuration.base_url!r}, client_id={pair and pair.client_id!r})"


class Tributary(_Client[SyncRunner]):
    """A client for threads, which may share one.

        with Tributary(base_url="https://…", client_id="…", client_secret="…") as client:
            for link in client.links.list():
                print(link.link_id, link.state)

    What is not passed is taken from `TRIBUTARY_URL`, `CLIENT_ID`, `CLIENT_SECRET`,
    `TRIBUTARY_APP_ID`, `TRIBUTARY_ENVIRONMENT` and `TRIBUTARY_ALLOW_HTTP`; nothing else is read
    from the environment.

    base_url       the address of the service, exactly its BASE_URL
    allow_http     calls a service at an http address that is not of this machine: the key pair
                   and bank data are sent readable
    client_id,
    client_secret  the key pair. A client without one verifies webhooks, and nothing else
    scopes         limits tokens to these; all of the key pair by default
    app_id,
    environment    webhooks of other apps, or of the other environment, are refused.
                   The environment of the key pair by default
    header_prefix  `HEADER_PREFIX` of the operator
    timeout        seconds for each attempt, from sending to the last byte
    max_retries    further attempts of what may be repeated
    headers        sent with each request, besides those of the client
    on_attempt     gets an `Attempt` after each request, for logs and metrics
    transport      sends the requests: `httpx2.HTTPTransport(proxy=…)`, `httpx2.MockTransport`
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        allow_http: bool | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scopes: Sequence[str] = (),
        app_id: str | None = None,
        environment: Environment | None = None,
        header_prefix: str = "service",
        timeout: float = 30.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        on_attempt: OnAttempt | None = None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        configuration = configuration_of(
            base_url=base_url,
            allow_http=allow_http,
            client_id=client_id,
            client_secret=client_secret,
            scopes=scopes,
            app_id=app_id,
            environment=environment,
            header_prefix=header_prefix,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            on_attempt=on_attempt,
        )
        self._set_up(configuration, SyncRunner(transport), Tokens(), KeySet())

    def close(self) -> None:
        """Closes the connections. `with` does it at its end."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncTributary(_Client[AsyncRunner]):
    """A client for asyncio; the tasks of one event loop may share it.

        async with AsyncTributary() as client:
            async for link in client.links.list():
                print(link.link_id, link.state)

    Its arguments are those of `Tributary`, but for `transport`: `httpx2.AsyncHTTPTransport(…)`.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        allow_http: bool | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scopes: Sequence[str] = (),
        app_id: str | None = None,
        environment: Environment | None = None,
        header_prefix: str = "service",
        timeout: float = 30.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        on_attempt: OnAttempt | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        configuration = configuration_of(
            base_url=base_url,
            allow_http=allow_http,
            client_id=client_id,
            client_secret=client_secret,
            scopes=scopes,
            app_id=app_id,
            environment=environment,
            header_prefix=header_prefix,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            on_attempt=on_attempt,
        )
        self._set_up(configuration, AsyncRunner(transport), Tokens(), KeySet())

    async def close(self) -> None:
        """Closes the connections. `async with` does it at its end."""
        await self._runner.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
