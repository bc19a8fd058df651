/** Error codes with their default messages, for developers, by type, with the status of the type. Source: plaid-compat 4. */
export const PLAID_ERROR_TYPES = {
  INVALID_REQUEST: {
    status: 400,
    codes: {
      INVALID_BODY: 'the body must be one JSON object, sent as application/json, of at most 1 MB',
      INVALID_HEADERS: 'the address and the headers are too large: together at most 16 KiB',
      MISSING_FIELDS: 'required fields are missing',
      INVALID_FIELD: 'a field has a value it cannot have',
      SANDBOX_ONLY: 'this route exists for sandbox keys only',
      NOT_FOUND: 'route not found',
    },
  },
  INVALID_INPUT: {
    status: 400,
    codes: {
      INVALID_API_KEYS: 'client_id and secret are not a known pair',
      UNAUTHORIZED_ENVIRONMENT: 'these keys may not be used in this environment',
      UNAUTHORIZED_ROUTE_ACCESS: 'these keys may not use this route',
      INVALID_ACCESS_TOKEN: 'the access_token is not one of this client in this environment',
      INVALID_PUBLIC_TOKEN:
        'the public_token is not one of this client in this environment, has expired or was used',
      INVALID_LINK_TOKEN:
        'the link_token is not one of this client in this environment, or has expired',
      INVALID_ACCOUNT_ID: 'an account_id does not belong to this item',
      INVALID_INSTITUTION: 'the institution_id is not known, or not in the given countries',
      INVALID_PRODUCT: 'a product is not known or not offered here',
      ADDITIONAL_CONSENT_REQUIRED: 'the end user did not permit this product; ask by update mode',
      INVALID_WEBHOOK_VERIFICATION_KEY_ID: 'the key_id is not known in this environment',
      USER_PERMISSION_REVOKED: 'the end user withdrew the permission for this item',
    },
  },
  ITEM_ERROR: {
    status: 400,
    codes: {
      ITEM_LOGIN_REQUIRED: 'the end user must log in again; open update mode for this item',
      ITEM_NOT_FOUND: 'the item of this token was removed',
      ITEM_CONCURRENTLY_DELETED: 'the item was removed while the request was running',
      PRODUCT_NOT_READY:
        'the data of this product is not ready yet; wait for the webhook or try again',
      PRODUCTS_NOT_SUPPORTED: 'this item does not support the product',
      PRODUCT_NOT_ENABLED: 'the product is not enabled for this item',
      NO_ACCOUNTS: 'the item has no open account',
      NO_AUTH_ACCOUNTS: 'the item has no account of a kind that has numbers',
      NO_INVESTMENT_ACCOUNTS: 'the item has no open investment account',
      NO_LIABILITY_ACCOUNTS: 'the item has no open card, credit line or loan',
      INVALID_CREDENTIALS: 'the institution did not accept the credentials',
      INVALID_MFA: 'the institution did not accept the answers of the end user',
      ITEM_LOCKED: 'the institution has locked this login',
      USER_SETUP_REQUIRED: 'the end user has to do something at the institution first',
      PASSWORD_RESET_REQUIRED: 'the end user has to set a new password at the institution',
      ACCESS_NOT_GRANTED: 'the end user did not grant access at the institution',
      INSUFFICIENT_CREDENTIALS: 'the end user left the institution before the login was complete',
      ITEM_NOT_SUPPORTED: 'the institution does not support this kind of login',
      MFA_NOT_SUPPORTED: 'this additional check of the institution is not supported',
    },
  },
  INSTITUTION_ERROR: {
    status: 400,
    codes: {
      INSTITUTION_DOWN: 'the institution is down',
      INSTITUTION_NOT_RESPONDING: 'the institution does not answer',
      INSTITUTION_NOT_AVAILABLE: 'the institution cannot be reached at the moment',
      INSTITUTION_NO_LONGER_SUPPORTED: 'the institution is no longer supported',
      UNAUTHORIZED_INSTITUTION: 'these keys may not use this institution',
    },
  },
  TRANSACTIONS_ERROR: {
    status: 400,
    codes: {
      TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION:
        'transactions changed while their pages were read; start again from the cursor of the first page',
    },
  },
  SANDBOX_ERROR: {
    status: 400,
    codes: {
      SANDBOX_WEBHOOK_INVALID: 'the item has no webhook address',
      SANDBOX_PRODUCT_NOT_ENABLED: 'the item does not have the product of this webhook',
    },
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    codes: {
      ACCOUNTS_LIMIT: 'too many calls of /accounts/get for this item',
      AUTH_LIMIT: 'too many calls of /auth/get for this item',
      IDENTITY_LIMIT: 'too many calls of /identity/get for this item',
      ITEM_GET_LIMIT: 'too many calls of /item/get for this item',
      BALANCE_LIMIT: 'too many calls of /accounts/balance/get for this item',
      TRANSACTIONS_LIMIT: 'too many calls of /transactions/get for this item',
      TRANSACTIONS_SYNC_LIMIT: 'too many calls of /transactions/sync for this item',
      TRANSACTIONS_REFRESH_LIMIT: 'too many calls of /transactions/refresh for this item',
      INSTITUTIONS_GET_BY_ID_LIMIT: 'too many calls of /institutions/get_by_id',
      RATE_LIMIT: 'too many calls',
      INSTITUTION_RATE_LIMIT: 'the institution asks to wait',
      CREDITS_EXHAUSTED: 'these keys have as many live items as they may have',
    },
  },
  API_ERROR: {
    status: 500,
    codes: {
      INTERNAL_SERVER_ERROR: 'something went wrong on our side',
      PLANNED_MAINTENANCE: 'the service is not available at the moment; try again later',
    },
  },
} as const satisfies Record<string, { status: number; codes: Record<string, string> }>;

export type PlaidErrorType = keyof typeof PLAID_ERROR_TYPES;
type CodesOf<Type> = Type extends { codes: infer Codes } ? keyof Codes : never;
export type PlaidErrorCode = CodesOf<(typeof PLAID_ERROR_TYPES)[PlaidErrorType]>;

export const MESSAGES = Object.assign(
  {},
  ...Object.values(PLAID_ERROR_TYPES).map(({ codes }) => codes),
) as Readonly<Record<PlaidErrorCode, string>>;

/**
 * Codes that Tributary never returns. They are documented on the overview page for developers who
 * look them up.
 */
export const CODES_NOT_GIVEN = [
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
    Object.keys(codes).map((code) => [code, type]),
  ),
) as Record<PlaidErrorCode, PlaidErrorType>;

export function errorTypeOf(code: PlaidErrorCode): PlaidErrorType {
  return TYPE_OF[code];
}

export function statusOf(code: PlaidErrorCode): number {
  return OWN_STATUS[code] ?? PLAID_ERROR_TYPES[TYPE_OF[code]].status;
}
