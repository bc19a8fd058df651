import { EXIT, type ExitCode } from './exit-codes.js';

/** An end that a command explains: the cause in one sentence, and what to do next. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';

  constructor(
    cause: string,
    readonly next: string,
    readonly exitCode: ExitCode = EXIT.usage,
    /** `error_code` of the service, if it refused something. */
    readonly code?: string,
  ) {
    super(cause);
  }
}
