/** Exit codes of every command, as the README lists them. */
export const EXIT = {
  done: 0,
  /** The command ran, and its result is negative or unexpected. */
  failed: 1,
  /** An option, argument or file is wrong; nothing was sent. */
  usage: 2,
  /** There is no key pair, or the service refuses it for this. */
  refused: 3,
  notFound: 4,
  /** The service does not respond, or cannot at the moment. */
  unavailable: 5,
  /** The service refuses the request as it is. */
  rejected: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
