import type { Link, LinkSession } from '../../generated/client.js';

/** Whether the result of a login can still become part of the link of its session. */
export function mayBeLinked(
  { mode }: Pick<LinkSession, 'mode'>,
  { state }: Pick<Link, 'state'>,
): boolean {
  return mode === 'relink' ? state !== 'deleted' : state === 'connecting';
}
