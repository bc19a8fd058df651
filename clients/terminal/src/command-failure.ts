/** An end that a command explains, printed without a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    cause: string,
    /** A second sentence: the remedy. */
    readonly next?: string,
    /** Missing = that of the program for a wrong option, argument or file. */
    readonly exitCode?: number,
    /** `error_code` of the service, if it refused something. */
    readonly code?: string,
  ) {
    super(cause);
  }
}
