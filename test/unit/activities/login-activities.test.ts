import { CancelledFailure } from '@temporalio/activity';
import { createLoginActivities } from '../../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import type { StepContent, StepInput } from '../../../domain/session/connect-step.js';
import type { Product } from '../../../domain/link/products.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { LoginFacts } from '../../../prisma/linking/bank-login.repository.js';
import type { LoginGrant } from '../../../prisma/permissions/login-grant.js';
import type { PreparedStep } from '../../../prisma/linking/prepared-step.js';
import type { OpenedRedirect } from '../../../prisma/sessions/oauth-state.repository.js';
import type {
  LoginContext,
  LoginOutcome,
  Provider,
  ProviderAccess,
  ProviderAccount,
} from '../../../providers/contract/provider.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import { GENEROUS_FACTS, KEYS_WORK } from '../../support/fixtures/provider-calls.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';

const ATTEMPT = { sessionId: 'ses_1', provider: 'fake', attemptKey: 'ses_1/1' };
const ACCOUNT: ProviderAccount = {
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
const OTP: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: '••• ••42',
  length: 6,
  digits_only: true,
  resend_after_seconds: 20,
};
const LINKED: LoginOutcome = {
  kind: 'linked',
  credential: Buffer.from('canary credential'),
  reference: 'conn_1',
  consent: 'given_at_bank',
};
const asksForCode = (
  more: Partial<Extract<LoginOutcome, { kind: 'step' }>> = {},
): LoginOutcome => ({
  kind: 'step',
  step: OTP,
  message: 'canary words',
  error: null,
  attemptsLeft: null,
  expiresAt: null,
  state: Buffer.from('canary state'),
  ...more,
});

const WAIT: StepContent = { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true };
const STILL_WAITING: LoginOutcome = {
  kind: 'step',
  step: WAIT,
  message: null,
  error: null,
  attemptsLeft: null,
  expiresAt: null,
  pollAfterMs: 1,
  state: Buffer.from('canary state'),
};
const PREPARED_WAIT: PreparedStep = {
  content: WAIT,
  message: null,
  error: null,
  attemptsLeft: null,
  expiresAt: null,
  pollAfterMs: 1,
};

describe('Login activities', () => {
  let outcome: () => LoginOutcome;
  let accounts: ProviderAccount[];
  let storeLinked: () => Promise<void>;
  let relink: LoginFacts['relink'];
  let held: LoginGrant | null;
  let keep: () => Promise<void>;
  let released: { linkId: string; provider: string; reference: string; credential: string }[];
  let renewals: unknown[];
  let release: () => Promise<boolean>;
  let polled: (() => LoginOutcome)[];
  let seen: {
    contexts: LoginContext[];
    inputs: StepInput[];
    stored: unknown[];
    revoked: ProviderAccess[];
    redirects: unknown[];
    asked: ProviderAccess['products'][];
    calls: string[];
  };
  let renewing: (access: ProviderAccess) => Promise<unknown>;
  let attempts: Map<string, { opened: OpenedRedirect; redeemed: boolean }>;

  const provider: Provider = {
    name: 'fake',
    adapter: 'fake',
    check: () => Promise.resolve(KEYS_WORK),
    facts: { ...GENEROUS_FACTS, idempotentLogin: false, historyDays: 90 },
    institutions: () => [],
    begin: async (context) => {
      seen.contexts.push(context);
      return outcome();
    },
    advance: async (context, state, input) => {
      expect(Buffer.from(state).toString()).toBe('canary state');
      seen.contexts.push(context);
      seen.inputs.push(input);
      return outcome();
    },
    startRedirect: async (context, redirect) => {
      seen.contexts.push(context);
      seen.redirects.push(redirect);
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
      seen.contexts.push(context);
      seen.redirects.push([Buffer.from(state).toString(), callbackUrl]);
      return outcome();
    },
    poll: async () => {
      const [next = outcome] = polled;
      polled = polled.slice(1);
      return next();
    },
    fetchAccounts: async (access) => {
      seen.calls.push('list');
      seen.asked.push(access.products);
      await renewing(access);
      return { accounts, unreported: [] };
    },
    fetchPermissionEnd: async () => new Date('2026-03-09T00:00:00Z'),
    revoke: async (access) => {
      seen.revoked.push(access);
      return 'revoked';
    },
  };

  const activities = createLoginActivities({
    sessions: {
      openAnswer: async (_, name) =>
        name === 'answer-1' ? Buffer.from(JSON.stringify({ kind: 'otp', code: '123456' })) : null,
    },
    quotas: NO_SERVICES.quotas,
    noteRenewal: async (login) => void renewals.push(login),
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
              relink,
            }
          : null,
      providerState: async () => Buffer.from('canary state'),
      preparedStep: async () => PREPARED_WAIT,
      isElsewhere: async () => false,
      storePreparedStep: async (_, __, prepared) => {
        seen.stored.push(prepared);
      },
      storeLinked: async (_, __, linked) => {
        seen.stored.push(linked);
        await storeLinked();
        return ['consent'];
      },
    },
    grants: {
      held: async () => held,
      keep: async (_, grant) => {
        await keep();
        held = grant;
        seen.calls.push('keep');
      },
      renew: async (_, __, credential) => {
        held = held && { ...held, credential };
        seen.calls.push('renew');
      },
    },
    revocations: {
      release: async (linkId, { credential, ...permission }) => {
        released.push({ linkId, ...permission, credential: Buffer.from(credential).toString() });
        return release();
      },
    },
    redirectAttempts: {
      makeSecrets: () => ({ state: 'canary-state', returnId: 'canary-return' }),
      keep: async (sessionId, way, opened) => {
        if (way === 'too-late') return null;
        attempts.set(`${sessionId}/${way}`, { opened, redeemed: false });
        return opened.expiresAt;
      },
      expiryOf: async (sessionId, way) =>
        attempts.get(`${sessionId}/${way}`)?.opened.expiresAt ?? null,
      redeem: async (sessionId, way) => {
        const kept = attempts.get(`${sessionId}/${way}`);
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

  const open = (attempt = ATTEMPT): Promise<BankLoginResult> =>
    quietEnvironment().run(activities.openBankLogin, attempt);
  const answer = (
    given: Parameters<typeof activities.answerBankStep>[0]['answer'],
  ): Promise<BankLoginResult> =>
    quietEnvironment().run(activities.answerBankStep, {
      ...ATTEMPT,
      answer: given,
      attemptsLeft: 2,
    });

  beforeEach(() => {
    outcome = () => LINKED;
    accounts = [ACCOUNT];
    storeLinked = async () => undefined;
    relink = null;
    released = [];
    renewals = [];
    release = async () => true;
    polled = [];
    seen = {
      contexts: [],
      inputs: [],
      stored: [],
      revoked: [],
      redirects: [],
      asked: [],
      calls: [],
    };
    held = null;
    keep = async () => undefined;
    renewing = async () => undefined;
    attempts = new Map();
  });

  it('store credential and accounts, and return only the number of accounts', async () => {
    expect(await open()).toEqual({ kind: 'linked', accounts: 1, questions: ['consent'] });
    expect(seen.contexts).toMatchObject([
      {
        remoteId: 'remote',
        attemptKey: 'ses_1/1',
        customerUserId: 'user-1',
        requestedProducts: ['accounts'],
      },
    ]);
    expect(seen.stored).toMatchObject([
      {
        reference: 'conn_1',
        consent: 'given_at_bank',
        accounts: [ACCOUNT],
        permissionEndsAt: new Date('2026-03-09T00:00:00Z'),
      },
    ]);
    expect({ released, revoked: seen.revoked }).toEqual({ released: [], revoked: [] });
  });

  it.each([
    ['can be renewed', true],
    ['cannot, although that was asked for', false],
  ])('note that a permission %s', async (_what, isRenewable) => {
    outcome = () => ({ ...LINKED, isRenewable });
    await open();
    expect(renewals).toEqual([{ provider: 'fake', remoteId: 'remote', isRenewable }]);
  });

  it('note nothing about a permission that was not meant to be renewed', async () => {
    await open();
    expect(renewals).toEqual([]);
  });

  it('store the credential that a login received before it is used, and continue with it without another login', async () => {
    accounts = [];
    await expect(open()).rejects.toMatchObject({ providerCause: 'no_accounts' });
    expect(seen.calls).toEqual(['keep', 'list']);
    accounts = [ACCOUNT];
    outcome = () => {
      throw new Error('the token was used twice');
    };
    expect(await open()).toEqual({ kind: 'linked', accounts: 1, questions: ['consent'] });
    expect(seen.calls).toEqual(['keep', 'list', 'list']);
    expect(seen.stored).toMatchObject([{ reference: 'conn_1', accounts: [ACCOUNT] }]);
    expect({ released, revoked: seen.revoked }).toEqual({ released: [], revoked: [] });
  });

  it('store a credential that the source renews while accounts are listed', async () => {
    accounts = [];
    renewing = (access) => access.renewCredential(async () => Buffer.from('canary renewed'));
    await expect(open()).rejects.toMatchObject({ providerCause: 'no_accounts' });
    expect(Buffer.from(held?.credential ?? []).toString()).toBe('canary renewed');
  });

  it('do not poll a bank again whose permission was received', async () => {
    held = LINKED as LoginGrant;
    polled = [
      () => {
        throw new Error('the bank was polled again');
      },
    ];
    expect(await quietEnvironment().run(activities.awaitBank, ATTEMPT)).toMatchObject({
      kind: 'linked',
    });
  });

  const tooLate = () => Promise.reject(new Error('the session has ended'));

  it('revoke a permission that arrives too late for its session', async () => {
    keep = tooLate;
    await expect(open()).rejects.toThrow('the session has ended');
    expect(released).toEqual([
      {
        linkId: 'mk_1',
        provider: 'fake',
        reference: 'conn_1',
        credential: 'canary credential',
      },
    ]);
    // The revocation is recorded, and its workflow retries until the bank has confirmed it.
    expect({ revoked: seen.revoked, calls: seen.calls }).toEqual({ revoked: [], calls: [] });
  });

  it('leave the end of a retained permission to its session', async () => {
    storeLinked = tooLate;
    await expect(open()).rejects.toThrow('the session has ended');
    expect({ released, revoked: seen.revoked }).toEqual({ released: [], revoked: [] });
  });

  it.each([
    ['the link is gone', async () => false],
    ['the database is unavailable', () => Promise.reject(new Error('no connection'))],
  ])('revoke at the bank directly, once, when %s', async (_, noted) => {
    keep = tooLate;
    release = noted;
    await expect(open()).rejects.toThrow('the session has ended');
    expect(seen.revoked.map(({ credential }) => Buffer.from(credential).toString())).toEqual([
      'canary credential',
    ]);
  });

  it('do not revoke a permission that the bank renewed under the reference of the link', async () => {
    keep = tooLate;
    relink = { reference: 'conn_1', products: ['accounts', 'identity'] };
    await expect(open()).rejects.toThrow('the session has ended');
    expect(released).toEqual([]);
    expect(seen.contexts).toMatchObject([{ relink: { reference: 'conn_1' } }]);
    relink = { reference: 'conn_0', products: ['accounts'] };
    await expect(open()).rejects.toThrow('the session has ended');
    expect(released).toHaveLength(1);
  });

  // link-lifecycle 8: by number and owner only if the user granted them before.
  it.each<[string, Product[] | null, Product[]]>([
    ['a new link', null, []],
    ['a relink', ['accounts', 'account_numbers'], ['accounts', 'account_numbers']],
  ])('request accounts of %s with the granted products', async (_, granted, expected) => {
    relink = granted === null ? null : { reference: null, products: granted };
    await open();
    expect(seen.asked).toEqual([expected]);
  });

  it('store the step that a bank requires and return only its kind', async () => {
    outcome = () => asksForCode({ expiresAt: new Date('2026-03-02T10:05:00Z') });
    const result = await open();
    expect(result).toEqual({
      kind: 'step',
      step: 'otp',
      refused: false,
      attemptsLeft: null,
      expiresInMs: 300_000,
    });
    expect(seen.stored).toEqual([
      {
        content: OTP,
        message: 'canary words',
        error: null,
        attemptsLeft: null,
        expiresAt: '2026-03-02T10:05:00.000Z',
        pollAfterMs: null,
      },
    ]);
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  it('open a sealed answer for the bank, and count attempts where the bank does not', async () => {
    outcome = () => asksForCode({ error: { code: 'wrong_code', text: 'That was not it.' } });
    expect(await answer({ sealedAs: 'answer-1' })).toMatchObject({
      kind: 'step',
      refused: true,
      attemptsLeft: 2,
    });
    outcome = () =>
      asksForCode({ error: { code: 'wrong_code', text: 'That was not it.' }, attemptsLeft: 1 });
    expect(await answer({ kind: 'otp', resend: true })).toMatchObject({
      refused: true,
      attemptsLeft: 1,
    });
    expect(seen.inputs).toEqual([
      { kind: 'otp', code: '123456' },
      { kind: 'otp', resend: true },
    ]);
  });

  it('do not count a code that is resent too early as a wrong one', async () => {
    outcome = () => asksForCode({ error: { code: 'resend_too_early', text: 'Not yet.' } });
    expect(await answer({ kind: 'otp', resend: true })).toMatchObject({
      kind: 'step',
      refused: false,
      attemptsLeft: 2,
    });
  });

  it('wait for the bank, and do not treat a moment of silence as a refusal', async () => {
    const silent = (): never => {
      throw new ProviderFailure('institution_down', 'no answer');
    };
    polled = [
      () => STILL_WAITING,
      silent,
      silent,
      () => STILL_WAITING,
      silent,
      silent,
      () => LINKED,
    ];
    expect(await quietEnvironment().run(activities.awaitBank, ATTEMPT)).toEqual({
      kind: 'linked',
      accounts: 1,
      questions: ['consent'],
    });
    held = null;
    polled = [silent, silent, silent, () => LINKED];
    await expect(quietEnvironment().run(activities.awaitBank, ATTEMPT)).rejects.toMatchObject({
      providerCause: 'institution_down',
    });
    polled = [
      () => {
        throw new ProviderFailure('user_denied', 'no');
      },
    ];
    await expect(quietEnvironment().run(activities.awaitBank, ATTEMPT)).rejects.toMatchObject({
      providerCause: 'user_denied',
    });
  });

  it('fail when the session or its sealed data is gone', async () => {
    await expect(open({ ...ATTEMPT, sessionId: 'ses_2' })).rejects.toBeInstanceOf(ProviderFailure);
    await expect(answer({ sealedAs: 'answer-9' })).rejects.toBeInstanceOf(ProviderFailure);
    expect(seen.contexts).toEqual([]);
  });

  describe("at a bank's own pages", () => {
    const way = (name: string) => ({ ...ATTEMPT, way: name });
    const setOut = (name = 'way-1'): Promise<BankLoginResult> =>
      quietEnvironment().run(activities.startBankRedirect, way(name));
    const comeBack = (name = 'way-1'): Promise<BankLoginResult> =>
      quietEnvironment().run(activities.completeBankRedirect, way(name));

    it('create a redirect with a state of its own, seal its secrets, and return only the duration of its validity', async () => {
      const result = await setOut();
      expect(result).toEqual({ kind: 'away', way: 'way-1', expiresInMs: 900_000 });
      expect(seen.redirects).toEqual([
        {
          state: 'canary-state',
          redirectUri: 'https://api.example/connect/oauth/callback',
          returnAddress: 'https://api.example/connect/oauth/callback?state=canary-state',
        },
      ]);
      expect(attempts.get('ses_1/way-1')?.opened).toMatchObject({
        attemptKey: 'ses_1/1',
        state: 'canary-state',
        returnId: 'canary-return',
        authorizeUrl: 'https://bank.example/canary',
        issuer: 'https://bank.example',
      });
      expect(JSON.stringify(result)).not.toContain('canary');
    });

    it('create the same redirect once', async () => {
      await setOut();
      expect(await setOut()).toEqual({ kind: 'away', way: 'way-1', expiresInMs: 900_000 });
      expect(seen.redirects).toHaveLength(1);
    });

    it('fail when the session finished in the meantime or there is no login', async () => {
      await expect(setOut('too-late')).rejects.toMatchObject({ providerCause: 'internal' });
      await expect(
        quietEnvironment().run(activities.startBankRedirect, {
          ...way('way-1'),
          sessionId: 'ses_2',
        }),
      ).rejects.toMatchObject({ providerCause: 'internal' });
    });

    it('redeem the callback once', async () => {
      await setOut();
      expect(await comeBack()).toEqual({ kind: 'linked', accounts: 1, questions: ['consent'] });
      expect(seen.redirects.at(-1)).toEqual([
        'canary verifier',
        'https://api.example/connect/oauth/callback?code=canary',
      ]);
      await expect(comeBack()).rejects.toMatchObject({ providerCause: 'internal' });
      expect(seen.redirects).toHaveLength(2);
    });

    it('fail with the cause given by the bank', async () => {
      await setOut();
      outcome = () => {
        throw new ProviderFailure('user_denied', 'denied');
      };
      await expect(comeBack()).rejects.toMatchObject({ providerCause: 'user_denied' });
    });
  });

  it('stop when they are canceled, whatever the adapter throws afterwards', async () => {
    const environment = quietEnvironment();
    outcome = () => {
      environment.cancel();
      throw new ProviderFailure('institution_down', 'broken off');
    };
    await expect(environment.run(activities.openBankLogin, ATTEMPT)).rejects.toBeInstanceOf(
      CancelledFailure,
    );
  });
});
