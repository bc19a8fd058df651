import type { Link, LinkSession } from '../generated/client.js';

/** Another login replaced this one, or the user left it, so its result is discarded. */
export class AttemptOver extends Error {
  constructor(readonly sessionId: string) {
    super(`the login in ${sessionId} is over`);
    this.name = 'AttemptOver';
  }
}

/** Whether the result of a login can still become part of the link of its session. */
export function mayBeLinked(
  { mode }: Pick<LinkSession, 'mode'>,
  { state }: Pick<Link, 'state'>,
): boolean {
  return mode === 'relink' ? state !== 'deleted' : state === 'connecting';
}
