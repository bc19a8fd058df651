import { CREDENTIALS_BANK } from '../../../support/actors/credentials-journey.js';
import { INSTANT_BANK, type ConnectVisit } from '../../../support/actors/link-journey.js';
import {
  arriveAtApp,
  decideAtBank,
  OAUTH_BANK,
  startRedirect,
} from '../../../support/actors/oauth-journey.js';
import { openSession, type Tenant } from './tenants.js';

export interface ConnectSession {
  sessionToken: string;
  connectToken: string;
  seq: number;
  /** The address that a bank redirected the browser to. */
  returnAddress: string | null;
}

const NO_ADDRESS = () => null;

/** Brings a session to a step; returns the return address of the bank. */
const BRING_TO = {
  start: () => Promise.resolve(null),
  form: (visit: ConnectVisit) => visit.select(CREDENTIALS_BANK).then(NO_ADDRESS),
  success: (visit: ConnectVisit) => visit.select(INSTANT_BANK).then(NO_ADDRESS),
  redirect: (visit: ConnectVisit) => visit.select(OAUTH_BANK).then(NO_ADDRESS),
  returned: async (visit: ConnectVisit) => {
    await visit.select(OAUTH_BANK);
    const { authorize_url: address } = await startRedirect(visit);
    return arriveAtApp(await decideAtBank(address));
  },
} satisfies Record<string, (visit: ConnectVisit) => Promise<string | null>>;

type Standing = keyof typeof BRING_TO;

/** The step of the sessions for each operation when it is tried. */
const STANDINGS: Record<string, readonly Standing[]> = {
  'POST /connect/api/session/finish': ['success', 'success'],
  'POST /connect/api/session/oauth/start': ['redirect', 'redirect'],
  'POST /connect/api/session/oauth/return': ['returned', 'redirect'],
  'POST /connect/api/session/resume': ['returned', 'returned'],
  'POST /connect/api/session/resumable': ['returned', 'returned'],
};
const ANYWHERE: readonly Standing[] = ['start', 'form', 'success', 'redirect'];

const sessionsToRead = new WeakMap<Tenant, Promise<ConnectSession[]>>();

/** Calls that only read share their sessions. */
export function connectSessions(own: Tenant, operation: string): Promise<ConnectSession[]> {
  if (!operation.startsWith('GET ')) return standingSessions(own, STANDINGS[operation] ?? ANYWHERE);
  const shared = sessionsToRead.get(own) ?? standingSessions(own, ANYWHERE);
  sessionsToRead.set(own, shared);
  return shared;
}

function standingSessions(own: Tenant, standings: readonly Standing[]): Promise<ConnectSession[]> {
  return Promise.all(
    standings.map(async (standing) => {
      const { sessionToken, visit } = await openSession(own);
      const returnAddress = await BRING_TO[standing](visit);
      return { sessionToken, connectToken: visit.connectToken, seq: visit.view.seq, returnAddress };
    }),
  );
}
