/** Origin of an http(s) address; the port is always present. */
export interface Origin {
  scheme: 'http' | 'https';
  host: string;
  port: number;
}

const DEFAULT_PORTS = { http: 80, https: 443 };
const ADDRESS = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::([1-9][0-9]{0,4}))?(?:[/?#]|$)/;
const NEVER_IN_AN_ADDRESS = /[\x00-\x20\x7f\\]/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;
/** URL Standard, host parsing, "ends in a number": browsers read such a host as an IPv4 address. */
const ENDS_IN_A_NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/;

/**
 * The origin of an http(s) address as browsers write it; undefined for any other text. Every
 * decision about an address rests on this: the `URL` of React Native has no origin, and keeps user
 * information in the host. A text that a browser would have to correct first is not an origin: upper case,
 * user information, backslashes, blanks, letters beyond ASCII, an empty or padded port.
 */
export function parseOrigin(address: unknown): Origin | undefined {
  if (typeof address !== 'string' || NEVER_IN_AN_ADDRESS.test(address)) return undefined;
  const [, scheme, host, port] = ADDRESS.exec(address) ?? [];
  if (scheme === undefined || host === undefined || !isHost(host)) return undefined;
  const number = port === undefined ? DEFAULT_PORTS[scheme as Origin['scheme']] : Number(port);
  return number > 65_535 ? undefined : { scheme: scheme as Origin['scheme'], host, port: number };
}

/** Both are http(s) addresses of one origin. */
export function isSameOrigin(one: unknown, other: unknown): boolean {
  const [a, b] = [parseOrigin(one), parseOrigin(other)];
  return (
    a !== undefined &&
    b !== undefined &&
    a.scheme === b.scheme &&
    a.host === b.host &&
    a.port === b.port
  );
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return true;
  if (host.split('.').includes('')) return false;
  return !ENDS_IN_A_NUMBER.test(host) || IPV4.test(host);
}
