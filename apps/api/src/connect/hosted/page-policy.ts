import { isIP } from 'node:net';

export interface PagePolicyOptions {
  connectBaseUrl: string;
  /** Base address of the session calls, without a trailing slash. */
  sessionCalls: string;
}

/** The pages of the app, and the sites that may embed each in a frame. Source: connect 2 and 12. */
export const FRAME_ANCESTORS: Readonly<Record<string, string>> = {
  // The SDK's frame, protected by the origin check of connect 8.
  '/start': 'https: http://localhost:* http://127.0.0.1:*',
  '/continue': 'https: http://localhost:* http://127.0.0.1:*',
  // Top-level only, because the token is in its address and a surrounding page could mislead the
  // user.
  '/hosted': "'none'",
};

/**
 * The response headers of a page of the hosted app. Source: connect 12, "Policy of hosted pages".
 */
export function pageHeaders(
  options: PagePolicyOptions,
  frameAncestors: string,
): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: https:",
    'font-src': "'self' https:",
    'connect-src': sessionCallsSource(options),
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': frameAncestors,
  };
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'Referrer-Policy': 'no-referrer',
    // The bank's window passes its address to the frame that opened it.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
}

/** A policy can name 127.0.0.1 but no other IP address; for those it names the whole origin. */
function sessionCallsSource({ connectBaseUrl, sessionCalls }: PagePolicyOptions): string {
  const { hostname, origin } = new URL(sessionCalls);
  const isNameable = hostname === '127.0.0.1' || isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
  if (isNameable) return `${sessionCalls}/`;
  return origin === new URL(connectBaseUrl).origin ? "'self'" : origin;
}
