/** A refusal of a call to the console; the page shows its message. */
export class ConsoleFailure extends Error {
  constructor(
    readonly status: number,
    /** `console.<reason>`. */
    readonly code: string,
    message: string,
    readonly errors: readonly { field: string; message: string }[] = [],
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ConsoleFailure';
  }
}

/** The answer to what is unknown, and to what a person may not know of. */
export const notFound = () =>
  new ConsoleFailure(404, 'console.not_found', 'There is nothing at this address.');
