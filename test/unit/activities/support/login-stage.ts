import { createLoginActivities } from '../../../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../../../activities/linking/bank-login-result.js';
import type { StepContent, StepInput } from '../../../../domain/session/connect-step.js';
import type { LoginFacts } from '../../../../prisma/work/linking/bank-login.repository.js';
import type { LoginGrant } from '../../../../prisma/sources/permissions/login-grant.js';
import type { PreparedStep } from '../../../../prisma/work/linking/prepared-step.js';
import type { OpenedRedirect } from '../../../../prisma/links/sessions/oauth-state.repository.js';
import type {
  LoginContext,
  LoginOutcome,
  Provider,
  ProviderAccess,
  ProviderAccount,
} from '../../../../providers/contract/provider.js';
import { quietEnvironment } from '../../../support/fixtures/quiet-environment.js';
import { GENEROUS_FACTS, KEYS_WORK } from '../../../support/fixtures/provider-calls.js';
import { NO_SERVICES } from '../../../support/fixtures/link-services.js';

export const ATTEMPT = { sessionId: 'ses_1', provider: 'fake', attemptKey: 'ses_1/1' };
export const ACCOUNT: ProviderAccount = {
  providerAccountId: 'a1',
  accountType: 'depository.checking',
  name: 'canary account',
  mask: '1101',
  currency: 'USD',
  available: null,
  current: null,
  limit: null,
  balanceDate: null,
};
export const LINKED: LoginOutcome = {
  kind: 'linked',
  credential: Buffer.from('canary credential'),
  reference: 'conn_1',
  consent: 'given_at_bank',
};

export const WAIT: StepContent = { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true };
const PREPARED_WAIT: PreparedStep = {
  content: WAIT,
  message: null,
  error: null,
  attemptsLeft: null,
  expiresAt: null,
  pollAfterMs: 1,
};
interface Stage {
  outcome: () => LoginOutcome;
  begin: (context: LoginContext) => LoginOutcome | Promise<LoginOutcome>;
  startRedirect: (context: LoginContext) => Promise<unknown>;
  accounts: ProviderAccount[];
  storeLinked: () => Promise<void>;
  relink: LoginFacts['relink'];
  held: LoginGrant | null;
  keep: () => Promise<void>;
  released: { linkId: string; provider: string; reference: string; credential: string }[];
  renewals: unknown[];
  release: () => Promise<boolean>;
  polled: (() => LoginOutcome)[];
  seen: {
    contexts: LoginContext[];
    inputs: StepInput[];
    stored: unknown[];
    revoked: ProviderAccess[];
    redirects: unknown[];
    requestedProducts: ProviderAccess['products'][];
    calls: string[];
  };
  renewing: (access: ProviderAccess) => Promise<unknown>;
  attempts: Map<string, { opened: OpenedRedirect; redeemed: boolean }>;
}
/** The bank and the database of the activities: a test sets their behavior and reads what they saw. */
export const stage = {} as Stage;

const provider: Provider = {
  name: 'fake',
  adapter: 'fake',
  check: () => Promise.resolve(KEYS_WORK),
  facts: { ...GENEROUS_FACTS, idempotentLogin: false, historyDays: 90 },
  institutions: () => [],
  begin: async (context) => {
    stage.seen.contexts.push(context);
    return stage.begin(context);
  },
  advance: async (context, state, input) => {
    expect(Buffer.from(state).toString()).toBe('canary state');
    stage.seen.contexts.push(context);
    stage.seen.inputs.push(input);
    return stage.outcome();
  },
  startRedirect: async (context, redirect) => {
    stage.seen.contexts.push(context);
    stage.seen.redirects.push(redirect);
    await stage.startRedirect(context);
    return {
      kind: 'address',
      returns: 'code_or_error',
      authorizeUrl: 'https://bank.example/canary',
      issuer: 'https://bank.example',
      expiresAt: new Date('2026-03-02T10:15:00Z'),
      state: Buffer.from('canary verifier'),
    };
  },
  completeRedirect: async (context, state, callbackUrl) => {
    stage.seen.contexts.push(context);
    stage.seen.redirects.push([Buffer.from(state).toString(), callbackUrl]);
    return stage.outcome();
  },
  poll: async () => {
    const [next = stage.outcome] = stage.polled;
    stage.polled = stage.polled.slice(1);
    return next();
  },
  fetchAccounts: async (access) => {
    stage.seen.calls.push('list');
    stage.seen.requestedProducts.push(access.products);
    await stage.renewing(access);
    return { accounts: stage.accounts, unreported: [] };
  },
  fetchPermissionEnd: async () => new Date('2026-03-09T00:00:00Z'),
  revoke: async (access) => {
    stage.seen.revoked.push(access);
    return 'revoked';
  },
};

export const activities = createLoginActivities({
  sessions: {
    openAnswer: async (_, name) =>
      name === 'answer-1' ? Buffer.from(JSON.stringify({ kind: 'otp', code: '123456' })) : null,
  },
  quotas: NO_SERVICES.quotas,
  noteRenewal: async (login) => void stage.renewals.push(login),
  usedTokens: { add: async () => undefined, includes: async () => false },
  bankLogins: {
    loginFacts: async (sessionId) =>
      sessionId === 'ses_1'
        ? {
            attemptKey: ATTEMPT.attemptKey,
            linkId: 'mk_1',
            remoteId: 'remote',
            provider: 'fake',
            customerUserId: 'user-1',
            appId: 'app-1',
            appName: 'Budget',
            country: 'US',
            endUser: null,
            environment: 'sandbox',
            requestedProducts: ['accounts'],
            worldId: 'default',
            sandboxData: null,
            relink: stage.relink,
          }
        : null,
    providerState: async () => Buffer.from('canary state'),
    preparedStep: async () => PREPARED_WAIT,
    isElsewhere: async () => false,
    storePreparedStep: async (_, __, prepared) => {
      stage.seen.stored.push(prepared);
    },
    storeLinked: async (_, __, linked) => {
      stage.seen.stored.push(linked);
      await stage.storeLinked();
      return ['consent'];
    },
  },
  grants: {
    held: async () => stage.held,
    keep: async (_, grant) => {
      await stage.keep();
      stage.held = grant;
      stage.seen.calls.push('keep');
    },
    renew: async (_, __, credential) => {
      stage.held = stage.held && { ...stage.held, credential };
      stage.seen.calls.push('renew');
    },
  },
  revocations: {
    release: async (linkId, { credential, ...permission }) => {
      stage.released.push({
        linkId,
        ...permission,
        credential: Buffer.from(credential).toString(),
      });
      return stage.release();
    },
  },
  redirectAttempts: {
    makeSecrets: () => ({ state: 'canary-state', returnId: 'canary-return' }),
    keep: async (sessionId, redirectId, opened) => {
      if (redirectId === 'too-late') return null;
      stage.attempts.set(`${sessionId}/${redirectId}`, { opened, redeemed: false });
      return opened.expiresAt;
    },
    expiryOf: async (sessionId, redirectId) =>
      stage.attempts.get(`${sessionId}/${redirectId}`)?.opened.expiresAt ?? null,
    redeem: async (sessionId, redirectId) => {
      const kept = stage.attempts.get(`${sessionId}/${redirectId}`);
      if (kept === undefined || kept.redeemed) return null;
      kept.redeemed = true;
      return {
        providerState: Buffer.from(kept.opened.providerState),
        callbackUrl: 'https://api.example/connect/oauth/callback?code=canary',
      };
    },
  },
  callbackAddress: 'https://api.example/connect/oauth/callback',
  providers: { get: () => provider },
  now: () => new Date('2026-03-02T10:00:00Z'),
});

export const open = (attempt = ATTEMPT): Promise<BankLoginResult> =>
  quietEnvironment().run(activities.openBankLogin, attempt);

/** Gives each test a bank at which every login succeeds at once. */
export function resetLogins(): void {
  beforeEach(() => {
    stage.outcome = () => LINKED;
    stage.begin = () => stage.outcome();
    stage.startRedirect = async () => undefined;
    stage.accounts = [ACCOUNT];
    stage.storeLinked = async () => undefined;
    stage.relink = null;
    stage.released = [];
    stage.renewals = [];
    stage.release = async () => true;
    stage.polled = [];
    stage.seen = {
      contexts: [],
      inputs: [],
      stored: [],
      revoked: [],
      redirects: [],
      requestedProducts: [],
      calls: [],
    };
    stage.held = null;
    stage.keep = async () => undefined;
    stage.renewing = async () => undefined;
    stage.attempts = new Map();
  });
}
