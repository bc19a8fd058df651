import { parseOrigin } from '@tributary/connect-js/core';

/** The system that opens a bank's login. */
export interface LoginSystem {
  os: 'ios' | 'android';
  /** Such as [17, 4]. */
  version: readonly [major: number, minor: number];
}

/** How a bank's login is opened, and how its end is noticed. */
export type LoginWay =
  /** The system's authentication session, which ends at an address of this scheme. */
  | { kind: 'custom_scheme'; scheme: string }
  /** The same, which ends at an https address of this host and path. */
  | { kind: 'https'; host: string; path: string }
  /** The system's browser; the end comes as a link that opens the app. */
  | { kind: 'outside' };

/** Schemes that browsers act on themselves; none of them is an app. */
const NOT_APPS = new Set(
  (
    'http https javascript file data blob about intent content ws wss ftp filesystem ' +
    'view-source tel sms mailto vbscript'
  ).split(' '),
);
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const PATH = /^https?:\/\/[^/?#]*([^?#]*)/;

/** @returns undefined for an address that is not an app's, to which nothing could return */
export function chooseLoginWay(redirectUri: string, system: LoginSystem): LoginWay | undefined {
  const origin = parseOrigin(redirectUri);
  if (origin !== undefined) {
    if (origin.scheme !== 'https') return undefined;
    if (!takesHttpsCallbacks(system) || origin.port !== 443) return { kind: 'outside' };
    return { kind: 'https', host: origin.host, path: PATH.exec(redirectUri)?.[1] || '/' };
  }
  const scheme = SCHEME.exec(redirectUri)?.[1]?.toLowerCase();
  if (scheme === undefined || NOT_APPS.has(scheme)) return undefined;
  return { kind: 'custom_scheme', scheme };
}

/** https addresses end an authentication session from iOS 17.4 on. */
function takesHttpsCallbacks({ os, version: [major, minor] }: LoginSystem): boolean {
  return os === 'ios' && (major > 17 || (major === 17 && minor >= 4));
}
