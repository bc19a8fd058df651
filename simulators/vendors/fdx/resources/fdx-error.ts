/** The errors of FDX API 6 that occur here: HTTP status and text of each code. */
const ERRORS = {
  401: { status: 400, message: 'Invalid input' },
  500: { status: 500, message: 'Internal server error' },
  501: { status: 500, message: 'Subsystem unavailable' },
  503: { status: 503, message: 'Scheduled maintenance' },
  602: { status: 403, message: 'Customer not authorized' },
  603: { status: 401, message: 'Authentication failed' },
  701: { status: 404, message: 'Account not found' },
  702: { status: 400, message: 'Invalid start or end date' },
  703: { status: 400, message: 'Invalid date range' },
  704: { status: 422, message: 'Account type not supported' },
  1107: { status: 404, message: 'Data not found for request parameters' },
  1206: { status: 405, message: 'Method not allowed' },
  1207: { status: 429, message: 'Too many requests were sent within a short period of time' },
} as const;

export type FdxErrorCode = keyof typeof ERRORS;

/** Ends a call of the resource server. */
export class FdxError extends Error {
  readonly status: number;

  constructor(
    readonly code: FdxErrorCode,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(ERRORS[code].message);
    this.status = ERRORS[code].status;
  }

  /** The `Error` entity of FDX. @param form of the code */
  bodyWith(form: 'number' | 'text'): { code: number | string; message: string } {
    return { code: form === 'number' ? this.code : String(this.code), message: this.message };
  }
}
