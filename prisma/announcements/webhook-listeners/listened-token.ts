import { createHmac } from 'node:crypto';
import { ID_PREFIXES, ID_ALPHABET, randomCharacters } from '../../../domain/api/ids.js';

const CHARACTERS = 22;

/**
 * The token of an event's delivery to one listener. It is derived, so that a listener which reads an
 * event again finds the same delivery, and nothing is stored before its outcome is reported. Only
 * those who know the listener's id, which is random, can derive it.
 */
export function listenedToken(listenerId: string, eventId: string): string {
  const stream = createHmac('sha512', listenerId).update(eventId).digest();
  let used = 0;
  const next = (length: number): Uint8Array => stream.subarray(used, (used += length));
  return ID_PREFIXES.delivery + randomCharacters(ID_ALPHABET, CHARACTERS, next);
}
