/** Error codes by type, with the status of the type. Source: plaid-compat 4. */
export const PLAID_ERROR_TYPES = {
  INVALID_REQUEST: {
    status: 400,
    codes: ['INVALID_BODY', 'MISSING_FIELDS', 'INVALID_FIELD', 'SANDBOX_ONLY', 'NOT_FOUND'],
  },
  INVALID_INPUT: {
    status: 400,
    codes: [
      'INVALID_API_KEYS',
      'UNAUTHORIZED_ENVIRONMENT',
      'UNAUTHORIZED_ROUTE_ACCESS',
      'INVALID_ACCESS_TOKEN',
      'INVALID_PUBLIC_TOKEN',
      'INVALID_LINK_TOKEN',
      'INVALID_ACCOUNT_ID',
      'INVALID_INSTITUTION',
      'INVALID_PRODUCT',
      'ADDITIONAL_CONSENT_REQUIRED',
      'INVALID_WEBHOOK_VERIFICATION_KEY_ID',
      'USER_PERMISSION_REVOKED',
    ],
  },
  ITEM_ERROR: {
    status: 400,
    codes: [
      'ITEM_LOGIN_REQUIRED',
      'ITEM_NOT_FOUND',
      'ITEM_CONCURRENTLY_DELETED',
      'PRODUCT_NOT_READY',
      'PRODUCTS_NOT_SUPPORTED',
      'PRODUCT_NOT_ENABLED',
      'NO_ACCOUNTS',
      'NO_AUTH_ACCOUNTS',
      'INVALID_CREDENTIALS',
      'INVALID_MFA',
      'ITEM_LOCKED',
      'USER_SETUP_REQUIRED',
      'PASSWORD_RESET_REQUIRED',
      'ACCESS_NOT_GRANTED',
      'INSUFFICIENT_CREDENTIALS',
      'ITEM_NOT_SUPPORTED',
      'MFA_NOT_SUPPORTED',
    ],
  },
  INSTITUTION_ERROR: {
    status: 400,
    codes: [
      'INSTITUTION_DOWN',
      'INSTITUTION_NOT_RESPONDING',
      'INSTITUTION_NOT_AVAILABLE',
      'INSTITUTION_NO_LONGER_SUPPORTED',
      'UNAUTHORIZED_INSTITUTION',
    ],
  },
  TRANSACTIONS_ERROR: { status: 400, codes: ['TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'] },
  SANDBOX_ERROR: { status: 400, codes: ['SANDBOX_WEBHOOK_INVALID', 'SANDBOX_PRODUCT_NOT_ENABLED'] },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    codes: [
      'ACCOUNTS_LIMIT',
      'AUTH_LIMIT',
      'IDENTITY_LIMIT',
      'ITEM_GET_LIMIT',
      'BALANCE_LIMIT',
      'TRANSACTIONS_LIMIT',
      'TRANSACTIONS_SYNC_LIMIT',
      'TRANSACTIONS_REFRESH_LIMIT',
      'INSTITUTIONS_GET_BY_ID_LIMIT',
      'RATE_LIMIT',
      'INSTITUTION_RATE_LIMIT',
      'CREDITS_EXHAUSTED',
    ],
  },
  API_ERROR: { status: 500, codes: ['INTERNAL_SERVER_ERROR', 'PLANNED_MAINTENANCE'] },
} as const satisfies Record<string, { status: number; codes: readonly string[] }>;

export type PlaidErrorType = keyof typeof PLAID_ERROR_TYPES;
export type PlaidErrorCode = (typeof PLAID_ERROR_TYPES)[PlaidErrorType]['codes'][number];

/** Codes that are never returned here. They are documented on the overview page for developers who look them up. */
export const CODES_NOT_GIVEN = [
  'UNAUTHORIZED_ROUTE_ACCESS',
  'PRODUCT_NOT_ENABLED',
  'PASSWORD_RESET_REQUIRED',
  'ITEM_NOT_SUPPORTED',
  'MFA_NOT_SUPPORTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
  'UNAUTHORIZED_INSTITUTION',
] as const satisfies readonly PlaidErrorCode[];

/** Codes whose status differs from that of their type. */
const OWN_STATUS: Partial<Record<PlaidErrorCode, number>> = {
  NOT_FOUND: 404,
  PLANNED_MAINTENANCE: 503,
};

const TYPE_OF = Object.fromEntries(
  Object.entries(PLAID_ERROR_TYPES).flatMap(([type, { codes }]) =>
    codes.map((code) => [code, type]),
  ),
) as Record<PlaidErrorCode, PlaidErrorType>;

export function errorTypeOf(code: PlaidErrorCode): PlaidErrorType {
  return TYPE_OF[code];
}

export function statusOf(code: PlaidErrorCode): number {
  return OWN_STATUS[code] ?? PLAID_ERROR_TYPES[TYPE_OF[code]].status;
}
