/**
 * The lists of values that may grow without a new version: responses and webhooks may hold any text there, so the
 * document marks them with `x-extensible-enum`. Requests accept the listed values only, as `…Input`.
 * Source: native-api 4.10.
 */
export const OPEN_LISTS: ReadonlySet<string> = new Set([
  // Kinds of accounts, rows and institutions.
  'AccountType',
  'AmountSource',
  'CategorySource',
  'CostBasisEvidence',
  'CostBasisSource',
  'CounterpartyKind',
  'Country',
  'InvestmentTransactionType',
  'InterestRateType',
  'LiabilityKind',
  'LiabilityRateKind',
  'PhoneType',
  'Product',
  'RecurringInterval',
  'RecurringKey',
  'SecurityType',
  'TransactionCategory',
  // States, and how they ended.
  'AnnouncedSessionOutcome',
  'HealthStatus',
  'IncompleteReason',
  'LinkSessionMode',
  'LinkSessionState',
  'LinkState',
  'ListenedDeliveryStatus',
  'ProductRefreshState',
  'RecurringStreamStatus',
  'ScriptedTransactionStatus',
  'SessionOutcome',
  'SimplefinTokenStatus',
  'WebhookDeliveryReason',
  'WebhookDeliveryStatus',
  'WebhookEventOrigin',
  'WebhookEventStatus',
  // Codes.
  'BadStateReason',
  'ConnectProblem',
  'ErrorCode',
  'LinkError',
  'LinkProductError',
  'OAuthErrorCode',
  'WebhookAttemptError',
  // Faults of the Sandbox.
  'FaultKind',
  'FaultOperation',
  // Details of the steps of Connect.
  'ConnectChoiceIcon',
  'ConnectChoicePurpose',
  'ConnectErrorAction',
  'ConnectFault',
  'ConnectFieldType',
  'ConnectFormPurpose',
  'ConnectInstitutionGroup',
  'ConnectLoginKind',
  'ConnectOtpChannel',
  'ConnectWaitStage',
  'InstitutionHealth',
]);

/** The lists of values in responses that are complete: each names both sides of a pair. */
export const CLOSED_LISTS: ReadonlySet<string> = new Set([
  'CashSource',
  'Environment',
  'HealthPartStatus',
  'OptionKind',
  'PriceSource',
  'RecurringDirection',
  'TransactionType',
]);
