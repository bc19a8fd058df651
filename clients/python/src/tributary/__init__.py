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
from .pages import AsyncPagedList, Page, PagedList
from .responses import ApiResponse
from .transaction_sync import (
    AsyncSyncStore,
    MemoryStore,
    Replacement,
    SyncedPage,
    SyncPosition,
    SyncStore,
    SyncSummary,
)
from .webhook_events import ReceivedEvent, UnknownEvent

__all__ = [
    "ApiError",
    "ApiResponse",
    "AsyncPagedList",
    "AsyncSyncStore",
    "AsyncTributary",
    "Attempt",
    "AuthenticationError",
    "ConfigurationError",
    "ConflictError",
    "Issue",
    "LinkNeedsOwnerError",
    "MemoryStore",
    "NotFoundError",
    "Page",
    "PagedList",
    "PermissionDeniedError",
    "RateLimitError",
    "ReceivedEvent",
    "Replacement",
    "ServerError",
    "ServiceConnectionError",
    "ServiceUnavailableError",
    "SyncPosition",
    "SyncStore",
    "SyncSummary",
    "SyncedPage",
    "Tributary",
    "TributaryError",
    "UnexpectedResponseError",
    "UnknownEvent",
    "ValidationError",
    "WebhookVerificationError",
    "models",
    "params",
]
