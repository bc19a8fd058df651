import { Refusal } from '../../http/reply.js';

/**
 * The error codes of the simulator, out of the vendor's list, and the status and
 * text of each. Codes and texts are the vendor's; the statuses of 422 and 429 and of ended sessions
 * are reported by users of the API, the others follow from the statuses that each call documents.
 */
const ERRORS = {
  ACCESS_DENIED: [
    403,
    'Access to this resource is denied. Check services available for your application.',
  ],
  ACCOUNT_DOES_NOT_EXIST: [404, 'No account found matching provided id'],
  ALREADY_AUTHORIZED: [422, 'Session is already authorized'],
  ASPSP_ACCOUNT_NOT_ACCESSIBLE: [
    403,
    "The PSU does not have access to the requested account or it doesn't exist",
  ],
  ASPSP_ERROR: [400, 'Error interacting with ASPSP'],
  ASPSP_PSU_ACTION_REQUIRED: [400, 'PSU action is required to proceed'],
  ASPSP_RATE_LIMIT_EXCEEDED: [429, 'ASPSP Rate limit exceeded'],
  ASPSP_TIMEOUT: [408, 'Timeout interacting with ASPSP'],
  AUTHORIZATION_NOT_PROVIDED: [401, 'Authorization header is not provided'],
  CLOSED_SESSION: [401, 'Session is closed'],
  DATE_FROM_IN_FUTURE: [422, 'date_from can not be in the future'],
  DATE_TO_WITHOUT_DATE_FROM: [422, 'date_from must be provided if date_to provided'],
  EXPIRED_AUTHORIZATION_CODE: [422, 'Authorization code is expired'],
  EXPIRED_SESSION: [401, 'Session is expired'],
  NO_ACCOUNTS_ADDED: [422, 'No allowed accounts added to the application'],
  PSU_HEADER_INVALID: [422, 'Provided PSU header contains invalid value'],
  PSU_HEADER_NOT_PROVIDED: [422, 'Required PSU header is not provided'],
  REDIRECT_URI_NOT_ALLOWED: [422, 'Redirect URI not allowed'],
  REVOKED_SESSION: [401, 'Session is revoked'],
  SESSION_DOES_NOT_EXIST: [404, 'No session found matching provided id'],
  UNAUTHORIZED_ACCESS: [401, 'Unauthorized access'],
  UNAUTHORIZED_IP: [403, 'Used IP address is not authorized to access the resource'],
  WRONG_ASPSP_PROVIDED: [422, 'Wrong ASPSP name provided'],
  WRONG_AUTHORIZATION_CODE: [422, 'Wrong authorization code provided'],
  WRONG_CONTINUATION_KEY: [422, 'Wrong continuation key provided'],
  WRONG_CREDENTIALS_PROVIDED: [422, 'Wrong credentials provided'],
  WRONG_DATE_INTERVAL: [422, 'date_from should be less than or equal date_to'],
  WRONG_REQUEST_PARAMETERS: [422, 'Wrong request parameters provided'],
  WRONG_TRANSACTIONS_PERIOD: [422, 'Wrong transactions period requested'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The error response of the API. @param detail the problem, in words */
export function refusal(error: ErrorCode, detail: string | null = null): Refusal {
  const [code, message] = ERRORS[error];
  return new Refusal({ status: code, json: { code, message, error, detail } });
}
