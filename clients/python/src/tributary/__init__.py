"""The client of Tributary, a self-hostable financial account aggregation service."""

from . import models, params
from .attempts import Attempt
from .client import AsyncTributary, Tributary
from .errors import (
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    Issue,
    LinkNeedsOwnerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    ServiceConnectionError,
    ServiceUnavailableError,
    TributaryError,
    UnexpectedResponseError,
    ValidationError,
    WebhookVerificationError,
)
from .pages import AsyncPages, Page, Pages
from .responses import Response
from .transaction_sync import (
    AsyncTransactionStore,
    MemoryStore,
    Replacement,
    SyncCounts,
    SyncPage,
    SyncPosition,
    TransactionStore,
)
from .webhook_events import Event, UnknownEvent

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncTransactionStore",
    "AsyncTributary",
    "Attempt",
    "AuthenticationError",
    "ConfigurationError",
    "ConflictError",
    "Event",
    "Issue",
    "LinkNeedsOwnerError",
    "MemoryStore",
    "NotFoundError",
    "Page",
    "Pages",
    "PermissionDeniedError",
    "RateLimitError",
    "Replacement",
    "Response",
    "ServerError",
    "ServiceConnectionError",
    "ServiceUnavailableError",
    "SyncCounts",
    "SyncPage",
    "SyncPosition",
    "TransactionStore",
    "Tributary",
    "TributaryError",
    "UnexpectedResponseError",
    "UnknownEvent",
    "ValidationError",
    "WebhookVerificationError",
    "models",
    "params",
]
