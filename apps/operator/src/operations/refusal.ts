import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';

/** An operation that cannot be done: a command prints the message, and the console answers with it. */
export class Refusal extends CommandFailure {
  constructor(
    /** `unknown`: its subject does not exist; `conflict`: its state forbids it; `unavailable`: a process does not respond. */
    readonly kind: 'unknown' | 'conflict' | 'unavailable',
    /** A name for programs, such as `only_secret`. */
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
