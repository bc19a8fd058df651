import { CancelledFailure } from '@temporalio/activity';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import type { StepContent } from '../../../domain/session/connect-step.js';
import type { Product } from '../../../domain/link/products.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { LoginContext, LoginOutcome } from '../../../providers/contract/provider.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import {
  ACCOUNT,
  activities,
  ATTEMPT,
  LINKED,
  open,
  resetLogins,
  stage,
  WAIT,
} from './support/login-stage.js';

resetLogins();

const OTP: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: '••• ••42',
  length: 6,
  digits_only: true,
  resend_after_seconds: 20,
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
const answer = (
  given: Parameters<typeof activities.answerBankStep>[0]['answer'],
): Promise<BankLoginResult> =>
  quietEnvironment().run(activities.answerBankStep, {
    ...ATTEMPT,
    answer: given,
    attemptsLeft: 2,
  });

describe('Login activities', () => {
  it('store credential and accounts, and return only the number of accounts', async () => {
    expect(await open()).toEqual({ kind: 'linked', accounts: 1, questions: ['consent'] });
    expect(stage.seen.contexts).toMatchObject([
      {
        remoteId: 'remote',
        attemptKey: 'ses_1/1',
        customerUserId: 'user-1',
        requestedProducts: ['accounts'],
      },
    ]);
    expect(stage.seen.stored).toMatchObject([
      {
        reference: 'conn_1',
        consent: 'given_at_bank',
        accounts: [ACCOUNT],
        permissionEndsAt: new Date('2026-03-09T00:00:00Z'),
      },
    ]);
    expect({ released: stage.released, revoked: stage.seen.revoked }).toEqual({
      released: [],
      revoked: [],
    });
  });

  // link-lifecycle 8: by number and owner only if the user granted them before.
  it.each<[string, Product[] | null, Product[]]>([
    ['a new link', null, []],
    ['a relink', ['accounts', 'account_numbers'], ['accounts', 'account_numbers']],
  ])('request accounts of %s with the granted products', async (_, granted, expected) => {
    stage.relink = granted === null ? null : { reference: null, products: granted };
    await open();
    expect(stage.seen.requestedProducts).toEqual([expected]);
  });

  it('store the step that a bank requires and return only its kind', async () => {
    stage.outcome = () => asksForCode({ expiresAt: new Date('2026-03-02T10:05:00Z') });
    const result = await open();
    expect(result).toEqual({
      kind: 'step',
      step: 'otp',
      refused: false,
      attemptsLeft: null,
      expiresInMs: 300_000,
    });
    expect(stage.seen.stored).toEqual([
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
    stage.outcome = () => asksForCode({ error: { code: 'wrong_code', text: 'That was not it.' } });
    expect(await answer({ sealedAs: 'answer-1' })).toMatchObject({
      kind: 'step',
      refused: true,
      attemptsLeft: 2,
    });
    stage.outcome = () =>
      asksForCode({ error: { code: 'wrong_code', text: 'That was not it.' }, attemptsLeft: 1 });
    expect(await answer({ kind: 'otp', resend: true })).toMatchObject({
      refused: true,
      attemptsLeft: 1,
    });
    expect(stage.seen.inputs).toEqual([
      { kind: 'otp', code: '123456' },
      { kind: 'otp', resend: true },
    ]);
  });

  it('do not count a code that is resent too early as a wrong one', async () => {
    stage.outcome = () => asksForCode({ error: { code: 'resend_too_early', text: 'Not yet.' } });
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
    stage.polled = [
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
    stage.held = null;
    stage.polled = [silent, silent, silent, () => LINKED];
    await expect(quietEnvironment().run(activities.awaitBank, ATTEMPT)).rejects.toMatchObject({
      providerCause: 'institution_down',
    });
    stage.polled = [
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
    expect(stage.seen.contexts).toEqual([]);
  });

  describe("at a bank's own pages", () => {
    const way = (name: string) => ({ ...ATTEMPT, redirectId: name });
    const startAttempt = (name = 'way-1'): Promise<BankLoginResult> =>
      quietEnvironment().run(activities.startBankRedirect, way(name));
    const completeAttempt = (name = 'way-1'): Promise<BankLoginResult> =>
      quietEnvironment().run(activities.completeBankRedirect, way(name));

    it('create a redirect with a state of its own, seal its secrets, and return only the duration of its validity', async () => {
      const result = await startAttempt();
      expect(result).toEqual({ kind: 'away', redirectId: 'way-1', expiresInMs: 900_000 });
      expect(stage.seen.redirects).toEqual([
        {
          state: 'canary-state',
          redirectUri: 'https://api.example/connect/oauth/callback',
          returnAddress: 'https://api.example/connect/oauth/callback?state=canary-state',
        },
      ]);
      expect(stage.attempts.get('ses_1/way-1')?.opened).toMatchObject({
        attemptKey: 'ses_1/1',
        state: 'canary-state',
        returnId: 'canary-return',
        authorizeUrl: 'https://bank.example/canary',
        issuer: 'https://bank.example',
      });
      expect(JSON.stringify(result)).not.toContain('canary');
    });

    it('create the same redirect once', async () => {
      await startAttempt();
      expect(await startAttempt()).toEqual({
        kind: 'away',
        redirectId: 'way-1',
        expiresInMs: 900_000,
      });
      expect(stage.seen.redirects).toHaveLength(1);
    });

    it('fail when the session finished in the meantime or there is no login', async () => {
      await expect(startAttempt('too-late')).rejects.toMatchObject({ providerCause: 'internal' });
      await expect(
        quietEnvironment().run(activities.startBankRedirect, {
          ...way('way-1'),
          sessionId: 'ses_2',
        }),
      ).rejects.toMatchObject({ providerCause: 'internal' });
    });

    it('redeem the callback once', async () => {
      await startAttempt();
      expect(await completeAttempt()).toEqual({
        kind: 'linked',
        accounts: 1,
        questions: ['consent'],
      });
      expect(stage.seen.redirects.at(-1)).toEqual([
        'canary verifier',
        'https://api.example/connect/oauth/callback?code=canary',
      ]);
      await expect(completeAttempt()).rejects.toMatchObject({ providerCause: 'internal' });
      expect(stage.seen.redirects).toHaveLength(2);
    });

    it('fail with the cause given by the bank', async () => {
      await startAttempt();
      stage.outcome = () => {
        throw new ProviderFailure('user_denied', 'denied');
      };
      await expect(completeAttempt()).rejects.toMatchObject({ providerCause: 'user_denied' });
    });
  });

  describe('with a patience', () => {
    /** A bank that is silent until its call ends. */
    const silent = ({ signal }: LoginContext): Promise<never> =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const impatient = { ...ATTEMPT, patienceMs: 5 };

    it('abandon a silent first call, and store nothing of it', async () => {
      stage.begin = silent;
      await expect(
        quietEnvironment().run(activities.openBankLogin, impatient),
      ).rejects.toMatchObject({ providerCause: 'institution_timeout' });
      stage.startRedirect = silent;
      await expect(
        quietEnvironment().run(activities.startBankRedirect, { ...impatient, redirectId: 'way-1' }),
      ).rejects.toMatchObject({ providerCause: 'institution_timeout' });
      expect({ stored: stage.seen.stored, attempts: stage.attempts.size }).toEqual({
        stored: [],
        attempts: 0,
      });
    });

    it('keep an answer that arrives as the patience ends', async () => {
      stage.begin = ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(asksForCode())));
      expect(await quietEnvironment().run(activities.openBankLogin, impatient)).toMatchObject({
        kind: 'step',
        step: 'otp',
      });
      expect(stage.seen.stored).toHaveLength(1);
    });

    it('limit only the call itself, not the list of accounts after it', async () => {
      stage.renewing = () => new Promise((resolve) => setTimeout(resolve, 50));
      expect(await quietEnvironment().run(activities.openBankLogin, impatient)).toMatchObject({
        kind: 'linked',
      });
      expect(stage.seen.contexts).toHaveLength(1);
    });
  });

  it('stop when they are canceled, whatever the adapter throws afterwards', async () => {
    const environment = quietEnvironment();
    stage.outcome = () => {
      environment.cancel();
      throw new ProviderFailure('institution_down', 'broken off');
    };
    await expect(environment.run(activities.openBankLogin, ATTEMPT)).rejects.toBeInstanceOf(
      CancelledFailure,
    );
  });
});
