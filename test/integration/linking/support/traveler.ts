import { randomUUID } from 'node:crypto';
import { OAuthReturnRepository } from '../../../../prisma/links/sessions/oauth-return.repository.js';
import { OAuthStateRepository } from '../../../../prisma/links/sessions/oauth-state.repository.js';
import {
  ATTEMPT,
  MINUTE,
  openedSession,
  shown,
  store,
  storeOfFile,
} from '../../../support/fixtures/linking-store.js';

export const OAUTH_BANK = 'oauth-bank';
export const ISSUER = 'https://bank.example';
export const REDIRECT_URI = 'https://app.example/bank-return';
export const BACK =
  'https://api.example/connect/oauth/callback?code=canary-code-of-the-bank&state=canary';

export let attempts: OAuthStateRepository;
export let returns: OAuthReturnRepository;

/** Opens a database with a bank that has its own pages. */
export function openOAuthStore(): void {
  storeOfFile();
  beforeAll(async () => {
    attempts = new OAuthStateRepository(store.ctx, { ttlMs: 15 * MINUTE });
    returns = new OAuthReturnRepository(store.ctx);
    await store.institutions.syncCatalog('oauth', [
      {
        institutionId: OAUTH_BANK,
        remoteId: OAUTH_BANK,
        name: OAUTH_BANK,
        country: 'US',
        domain: null,
        color: null,
        colorDark: null,
        isFeatured: true,
        environment: 'sandbox',
        login: 'oauth',
        products: ['accounts', 'transactions'],
        aliases: [],
      },
    ]);
  });
}

export interface Traveler {
  sessionId: string;
  token: string;
  connectToken: string;
  redirectId: string;
  state: string;
  returnId: string;
}

/** A user who was redirected to the bank. */
export async function traveling(): Promise<Traveler> {
  const session = await openedSession(store, { redirectUri: REDIRECT_URI });
  await store.logins.offerRedirect(session.sessionId, OAUTH_BANK);
  await store.sessions.projectStep(session.sessionId, {
    ...shown(2, { kind: 'redirect', started: false }),
    accepted: true,
  });
  await store.logins.beginLogin(session.sessionId, OAUTH_BANK, ATTEMPT);
  const opened = await openAttempt(session.sessionId);
  await store.sessions.projectStep(session.sessionId, {
    ...shown(3, { kind: 'redirect', started: true }),
    accepted: true,
  });
  return { ...session, ...opened };
}

export async function openAttempt(
  sessionId: string,
  redirectId: string = randomUUID(),
  returns: 'code_or_error' | 'anything' = 'code_or_error',
) {
  const secrets = attempts.makeSecrets();
  await attempts.keep(sessionId, redirectId, {
    ...secrets,
    attemptKey: `${sessionId}/2`,
    authorizeUrl: `${ISSUER}/authorize?state=${secrets.state}`,
    issuer: ISSUER,
    returns,
    expiresAt: new Date(store.ctx.clock().getTime() + 60 * MINUTE),
    providerState: Buffer.from('canary-verifier'),
  });
  return { redirectId, ...secrets };
}

export const callBack = (
  { state }: Pick<Traveler, 'state'>,
  issuer: string | null = ISSUER,
  hasOutcome = true,
) => attempts.takeCallback({ state, issuer, hasOutcome, address: BACK });
export const rowOf = (traveler: Traveler) =>
  store.ctx.database.prisma.oAuthState.findUnique({
    where: {
      sessionId_redirectId: { sessionId: traveler.sessionId, redirectId: traveler.redirectId },
    },
  });
