/** The fault of one value that was sent. */
export interface FieldError {
  field: string;
  message: string;
}

/** A call without a result. */
export class CallFailed extends Error {
  constructor(
    /** The HTTP status; 0: no answer arrived. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly FieldError[] = [],
  ) {
    super(message);
    this.name = 'CallFailed';
  }

  /** Hidden from this person, or unknown: the service does not tell which. */
  get isMissing(): boolean {
    return this.status === 404;
  }

  messageOf(field: string): string | undefined {
    return this.fields.find((each) => each.field === field)?.message;
  }
}

export function failureOf(status: number, body: unknown): CallFailed {
  const { error_code, error_message, errors } = (body ?? {}) as {
    error_code?: string;
    error_message?: string;
    errors?: FieldError[];
  };
  return new CallFailed(
    status,
    error_code ?? `http.${status}`,
    error_message ?? `The console answered with HTTP ${status}.`,
    errors ?? [],
  );
}

export const noAnswer = (): CallFailed =>
  new CallFailed(0, 'console.no_answer', 'The console cannot be reached. Is it still running?');

/** Anything that was thrown, as a failure with a message. */
export const asFailure = (error: unknown): CallFailed =>
  error instanceof CallFailed
    ? error
    : new CallFailed(0, 'console.failed', error instanceof Error ? error.message : String(error));
