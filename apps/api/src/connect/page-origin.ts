import type { Environment } from '../../../../domain/api/environment.js';
import type { SessionRecord } from '../../../../prisma/sessions/session-record.js';

interface OpeningPage {
  /** Origin of the embedding page; null in a WebView. */
  origin: string | null;
  platform: 'web' | 'react-native' | 'ios';
}

/**
 * Whether a page may open Connect for the app. An empty list allows any page in Sandbox and none in
 * Live. Source: connect 8, step 5.
 */
export function mayOpen(
  { origin, platform }: OpeningPage,
  pageOrigins: readonly string[],
  environment: Environment,
): boolean {
  if (origin === null && platform !== 'web') return true;
  if (pageOrigins.length === 0) return environment === 'sandbox';
  return origin !== null && pageOrigins.some((entry) => sameOrigin(entry, origin));
}

/**
 * Whether a page may open a session: one of the app's pages, or the hosted page where the session
 * allows it.
 */
export function mayOpenSession(
  page: OpeningPage,
  session: Pick<SessionRecord, 'options' | 'app' | 'environment'>,
  connectBaseUrl: string,
): boolean {
  return (
    isHostedPage(page, session, connectBaseUrl) ||
    mayOpen(page, session.app.pageOrigins, session.environment)
  );
}

/**
 * The service's own page that runs Connect in a window of its own, allowed only for sessions of the
 * compatibility layer. Source: connect 2.
 */
function isHostedPage(
  { origin }: OpeningPage,
  { options }: Pick<SessionRecord, 'options'>,
  connectBaseUrl: string,
): boolean {
  return options !== null && origin !== null && sameOrigin(new URL(connectBaseUrl).origin, origin);
}

function sameOrigin(entry: string, origin: string): boolean {
  return entry.replace(/\/+$/, '').toLowerCase() === origin.toLowerCase();
}
