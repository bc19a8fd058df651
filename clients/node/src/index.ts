export { Tributary } from './tributary.js';
export type { Fetch, TributaryOptions } from './client-options.js';
export {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
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
  type WebhookRefusal,
} from './errors.js';
export { PagedList, type Page } from './paged-list.js';
export type { ExactMoney, MoneyForm, WithMoney } from './money.js';
export { ApiPromise, type ApiResponse } from './requests/api-promise.js';
export type { Attempt } from './requests/attempt.js';
export type { CallOptions, KeyedCallOptions } from './requests/api-request.js';
export type { HoldingsListQuery } from './resources/holdings.js';
export type { LiabilitiesListQuery } from './resources/liabilities.js';
export type { LinkSessionsListQuery } from './resources/link-sessions.js';
export type { LinksListQuery } from './resources/links.js';
export type { InstitutionsListQuery } from './resources/institutions.js';
export type {
  InvestmentTransactionsListQuery,
  InvestmentTransactionsSyncQuery,
} from './resources/investment-transactions.js';
export type { RecurringListQuery } from './resources/recurring.js';
export type { TransactionsListQuery, TransactionsSyncQuery } from './resources/transactions.js';
export type {
  LinkAccounts,
  UsersListAccountsQuery,
  UsersListLinksQuery,
  UsersListTransactionsQuery,
} from './resources/users.js';
export type { WebhooksListEventsQuery } from './resources/webhooks.js';
export { memoryStore, type MemoryStore } from './sync/memory-store.js';
export type { SyncOptions, SyncSummary } from './sync/sync-into.js';
export type { SyncedPage, SyncPosition, SyncStore } from './sync/sync-store.js';
export type { ReceivedEvent } from './generated/received-event.js';
export type {
  EventHandler,
  FetchHandler,
  HandlerOptions,
  NodeHandler,
  NodeRequest,
  NodeResponse,
} from './webhooks/request-handlers.js';
export type { RawBody, VerifyOptions, WebhookHeaders } from './webhooks/webhook-verifier.js';
export { apiVersion } from './generated/api-version.js';
export { version } from './generated/version.js';
export type * from './generated/types.js';
