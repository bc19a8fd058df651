import { parseOrigin } from '@tributary/connect-js/core';

/** The means to open a bank's own pages, and the form of the return to the app. */
export type AuthWay =
  /** The system's authentication session, closed by an address of this scheme (in lower case). */
  | { way: 'scheme'; scheme: string }
  /** The same, closed by an https address; from iOS 17.4. */
  | { way: 'https'; host: string; path: string }
  /** The user's browser; the return is a universal link or an App Link. */
  | { way: 'browser' }
  /** The bank has an address, but no return from it into the app. */
  | { way: 'unavailable' }
  /** Not an address of a bank: nothing is opened. */
  | { way: 'refuse' };

export interface AuthRequest {
  authorizeUrl: unknown;
  redirectUri: unknown;
  platform: 'ios' | 'android';
  /** Such as `17.4.1`; used on iOS only. */
  systemVersion: string | null;
}

/** Schemes that browsers or the system use themselves; no app can claim them. Source: link-lifecycle 2.4. */
const FOREIGN_SCHEMES = new Set(
  'http javascript data vbscript file filesystem blob about view-source ftp ws wss mailto tel sms intent content'.split(
    ' ',
  ),
);

export function decideAuthWay({
  authorizeUrl,
  redirectUri,
  platform,
  systemVersion,
}: AuthRequest): AuthWay {
  if (parseOrigin(authorizeUrl) === undefined) return { way: 'refuse' };
  if (typeof redirectUri !== 'string') return { way: 'unavailable' };
  const scheme = /^([a-z][a-z0-9+.-]*):\//i.exec(redirectUri)?.[1]?.toLowerCase();
  if (scheme === undefined || FOREIGN_SCHEMES.has(scheme)) return { way: 'unavailable' };
  if (scheme !== 'https') return { way: 'scheme', scheme };
  const origin = parseOrigin(redirectUri);
  if (origin === undefined) return { way: 'unavailable' };
  if (platform !== 'ios' || !isFrom17_4(systemVersion) || origin.port !== 443)
    return { way: 'browser' };
  const path = redirectUri.replace(/^https:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  return { way: 'https', host: origin.host, path: path === '' ? '/' : path };
}

function isFrom17_4(version: string | null): boolean {
  const [, major, minor] = /^(\d+)(?:\.(\d+))?/.exec(version ?? '') ?? [];
  return Number(major) > 17 || (Number(major) === 17 && Number(minor) >= 4);
}
