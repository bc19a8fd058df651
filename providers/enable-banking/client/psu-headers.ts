import { isIP } from 'node:net';
import type { EndUser } from '../../../domain/session/end-user.js';

type Headers = Readonly<Record<string, string>>;

const MAX_LENGTH = 1_000;
/** What a header may hold. */
const PRINTABLE = /^[ -~]+$/;

/**
 * The headers that say which user waits for a call: all that the bank requires, or none, because a
 * bank refuses a part of them. None also when no user waits, or we do not know what it requires.
 */
export function psuHeaders(required: readonly string[], user: EndUser | null): Headers {
  if (user === null || isIP(user.ipAddress) === 0) return {};
  const known: ReadonlyMap<string, [string, string]> = new Map([
    ['psuipaddress', ['psu-ip-address', user.ipAddress]],
    ['psuuseragent', ['psu-user-agent', user.userAgent]],
    ['psuacceptlanguage', ['psu-accept-language', user.language]],
  ]);
  // The address alone says that a user waits, also where nothing is required.
  const headers: Record<string, string> = { 'psu-ip-address': user.ipAddress };
  for (const name of required) {
    // Spelled `Psu-Ip-Address` in one place and `psuIpAddress` in another.
    const [header, value] = known.get(name.toLowerCase().replace(/[^a-z]/g, '')) ?? [];
    if (header === undefined || value === undefined || !isPlain(value)) return {};
    headers[header] = value;
  }
  return headers;
}

const isPlain = (value: string): boolean => value.length <= MAX_LENGTH && PRINTABLE.test(value);
