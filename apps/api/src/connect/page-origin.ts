import type { Environment } from '../../../../domain/api/environment.js';
import { isHosted } from '../../../../domain/session/session-options.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';

interface OpeningPage {
  /** Origin of the embedding page; null in a WebView. */
  origin: string | null;
  platform: 'web' | 'react-native' | 'ios';
}

/**
 * Returns whether a page may open Connect for the app. An empty list allows any page in Sandbox and none in
 * Live; where no page may, a phone app may not, either. Source: connect 8, step 5.
 */
export function mayOpen(
  { origin, platform }: OpeningPage,
  pageOrigins: readonly string[],
  environment: Environment,
): boolean {
  if (pageOrigins.length === 0) return environment === 'sandbox';
  if (origin === null) return platform !== 'web';
  return pageOrigins.some((entry) => sameOrigin(entry, origin));
}

/** The name that the hosted page uses instead of an SDK's. */
const HOSTED_PAGE = 'hosted';

/**
 * True if a page may open a session: the hosted page opens those that were created for it, a page or
 * phone app of the app every other. The origin of Connect counts as a page of the app only where it is
 * listed. Source: connect 2.
 */
export function mayOpenSession(
  page: OpeningPage & { sdk?: { name: string } | undefined },
  session: Pick<SessionRecord, 'options' | 'app' | 'environment'>,
  connectBaseUrl: string,
): boolean {
  const { origin, platform, sdk } = page;
  const isOurs = origin !== null && sameOrigin(new URL(connectBaseUrl).origin, origin);
  if (isHosted(session)) return isOurs && platform === 'web';
  const { pageOrigins } = session.app;
  if (sdk?.name === HOSTED_PAGE || (isOurs && pageOrigins.length === 0)) return false;
  return mayOpen(page, pageOrigins, session.environment);
}

function sameOrigin(entry: string, origin: string): boolean {
  return entry.replace(/(?<!\/)\/+$/, '').toLowerCase() === origin.toLowerCase();
}
