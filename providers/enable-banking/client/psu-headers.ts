import { isIP } from 'node:net';
import type { EndUser } from '../../../domain/session/end-user.js';

type Headers = Readonly<Record<string, string>>;

const MAX_LENGTH = 1_000;
/** The characters that a header may contain. */
const PRINTABLE = /^[ -~]+$/;

/**
 * The headers that identify the user who waits for a call: all that the bank requires, or none,
 * because a bank refuses an incomplete set. Also none when no user waits, or the bank's
 * requirements are unknown.
 */
export function psuHeaders(required: readonly string[], user: EndUser | null): Headers {
  if (user === null || isIP(user.ipAddress) === 0) return {};
  const known: ReadonlyMap<string, [string, string]> = new Map([
    ['psuipaddress', ['psu-ip-address', user.ipAddress]],
    ['psuuseragent', ['psu-user-agent', user.userAgent]],
    ['psuacceptlanguage', ['psu-accept-language', user.language]],
  ]);
  // The address alone shows that a user waits, even where nothing is required.
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
