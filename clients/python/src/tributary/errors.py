"""The errors of the client, by what a program does about them.

TributaryError
├─ ConfigurationError
├─ ServiceConnectionError
├─ UnexpectedResponseError
├─ WebhookVerificationError
└─ ApiError
   ├─ AuthenticationError
   ├─ PermissionDeniedError
   ├─ NotFoundError
   ├─ ConflictError
   │  └─ LinkNeedsOwnerError
   ├─ ValidationError
   ├─ RateLimitError
   ├─ ServiceUnavailableError
   └─ ServerError
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal


class TributaryError(Exception):
    """The base of every error of this package. No message holds a secret, a token or account data."""

    code: str
    """Stable: branch on it, not on the text."""

    def __reduce__(self) -> Any:  # Copies and pickles keep the attributes, whatever the arguments.
        return _restored, (type(self), self.args, self.__dict__)


class ConfigurationError(TributaryError):
    """An argument, or the environment variable that stands for it, is missing or wrong. Nothing was sent."""

    code = "configuration"


class ServiceConnectionError(TributaryError):
    """No response or half of one, or 408, 421 or 425: the request may not have reached the service."""

    def __init__(self, message: str, code: Literal["connection_failed", "timeout"]) -> None:
        super().__init__(message)
        self.code: str = code


class UnexpectedResponseError(TributaryError):
    """A redirect, a page of a proxy, or a body that is not as documented: is the address right?

    The call is not repeated, since the response would be the same.
    """

    code = "unexpected_response"

    def __init__(self, message: str, *, status: int, request_id: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


WebhookRefusal = Literal[
    "no_signature",
    "malformed_signature",
    "unknown_key",
    "wrong_signature",
    "wrong_issuer",
    "wrong_app",
    "wrong_environment",
    "too_old",
    "too_new",
    "wrong_body",
    "malformed_body",
    "wrong_event",
]


class WebhookVerificationError(TributaryError):
    """The request is not a current webhook from this service for this app: respond with 400."""

    def __init__(self, message: str, code: WebhookRefusal) -> None:
        super().__init__(message)
        self.code: WebhookRefusal = code
        """The first step of docs/webhooks.md, "Verifying", that failed."""


@dataclass(frozen=True)
class Issue:
    """One mistake in a request."""

    location: tuple[str | int, ...]
    """The path of the field, such as `("body", "customer_user", "id")`."""
    message: str
    type: str


class ApiError(TributaryError):
    """A response with an error. docs/errors.md lists the codes and their remedies."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str = "http_error",
        request_id: str | None = None,
        documentation_url: str | None = None,
        link_error_code: str | None = None,
        issues: Sequence[Issue] = (),
        retry_after: float | None = None,
        required_scope: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """`http_error` when something in front of the service responded."""
        self.request_id = request_id
        """Include it in a question to the operator, whose log has it."""
        self.documentation_url = documentation_url
        """The entry of the code in the reference of the service."""
        self.link_error_code = link_error_code
        """The error of the link, or its state, where the code is `link_error.bad_state`."""
        self.issues = tuple(issues)
        """Every mistake in the request, where the code is `api_error.request.validation_failed`."""
        self.retry_after = retry_after
        """The seconds after which the same request may succeed."""
        self.required_scope = required_scope
        """The scope that the token lacks for this call."""


class AuthenticationError(ApiError):
    """401: the key pair is refused, or its scopes do not allow the call."""


class PermissionDeniedError(ApiError):
    """403, or a link of another app or environment."""


class NotFoundError(ApiError):
    """404, or 410 for what was deleted."""


class ConflictError(ApiError):
    """409, a used idempotency key, or a link in a state that does not allow the call."""


class LinkNeedsOwnerError(ConflictError):
    """The account owner has to sign in again: create a session with `existing_link_id`."""


class ValidationError(ApiError):
    """Every other 4xx: the request is wrong, and `issues` lists its mistakes."""


class RateLimitError(ApiError):
    """429: the request had no effect; wait for `retry_after`."""


class ServiceUnavailableError(ApiError):
    """502, 503 or 504: the service, or a part that it needs, is down."""


class ServerError(ApiError):
    """Every other 5xx: report `request_id` to the operator."""


def error_of_response(
    status: int,
    body: Any,
    *,
    request_id: str | None = None,
    retry_after: float | None = None,
    required_scope: str | None = None,
    of_token_call: bool = False,
) -> ApiError:
    """The error of a response, from its status and its parsed body, which is None when it is not JSON."""
    fields = body if isinstance(body, dict) else {}
    code = _text(fields.get("error_code")) or "http_error"
    link_error_code = _text(fields.get("link_error_code"))
    message = _text(fields.get("error_message")) or "The response is not one of this API."
    family = AuthenticationError if of_token_call and status in (400, 401) else None
    return (family or _family(status, code, link_error_code))(
        f"{message} ({status} {code}{f', request {request_id}' if request_id else ''})",
        status=status,
        code=code,
        request_id=request_id,
        documentation_url=_text(fields.get("documentation_url")),
        link_error_code=link_error_code,
        issues=_issues(fields.get("validation_errors")),
        retry_after=retry_after,
        required_scope=required_scope,
    )


_BY_CODE: dict[str, type[ApiError]] = {
    "link_error.unauthorized_access": PermissionDeniedError,
    "link_error.bad_state": ConflictError,
    "api_error.idempotency.mismatch": ConflictError,
}
_BY_STATUS: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    429: RateLimitError,
    502: ServiceUnavailableError,
    503: ServiceUnavailableError,
    504: ServiceUnavailableError,
}


def _family(status: int, code: str, link_error_code: str | None) -> type[ApiError]:
    if code == "link_error.bad_state" and link_error_code == "auth_expired":
        return LinkNeedsOwnerError
    otherwise = ServerError if status >= 500 else ValidationError
    return _BY_CODE.get(code) or _BY_STATUS.get(status, otherwise)


def _issues(entries: Any) -> list[Issue]:
    return [
        Issue(
            location=tuple(entry.get("location", ())),
            message=str(entry.get("message", "")),
            type=str(entry.get("type", "")),
        )
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict)
    ]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _restored(
    kind: type[TributaryError], args: tuple[Any, ...], attributes: dict[str, Any]
) -> TributaryError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error
