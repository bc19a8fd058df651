import { randomUUID } from 'node:crypto';
import type { StepInput } from '../../../domain/session/connect-step.js';
import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import {
  connectionTo,
  openSandboxBank,
  startSandboxBank,
  type SandboxBankProcess,
  type TestSandboxBank,
} from './support/sandbox-bank.js';
import { asLinked, asStep, bankCustomer, credentials, otp, refusal } from './bank-customer.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';
import { queryAt } from '../../support/services/postgres.mjs';

const BANK = 'sandbox-credentials-bank';
const RESEND: StepInput = { kind: 'otp', resend: true };
/** The factor of the delays of the bank. */
const FACTOR = process.env['LONG_RUNS'] ? 1 : 0.5;

describe('Credentials Bank', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: SandboxBankProcess;
  let provider: SandboxProvider;
  let customer: ReturnType<typeof bankCustomer>;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await startSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
    customer = bankCustomer(provider, BANK);
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });

  it.each<[string, StepInput[], string[]]>([
    ['user_good', [], []],
    ['mfa_sms', [otp('123456')], ['otp']],
    ['mfa_email', [otp('123456')], ['otp']],
    ['mfa_choice', [{ kind: 'choice', option_ids: ['phone'] }, otp('123456')], ['choice', 'otp']],
    ['mfa_questions', [{ kind: 'form', values: { colour: 'blue', pet: 'rex' } }], ['form']],
    ['mfa_image', [{ kind: 'image', answer: '7A3F' }], ['image']],
    ['slow_60', [], []],
  ])('links %s', async (userName, answers, kinds) => {
    const context = customer.contextOf();
    let outcome = await provider.begin(context);
    const seen: string[] = [];
    for (const answer of [credentials(userName), ...answers]) {
      outcome = await customer.advance(context, asStep(outcome), answer);
      if (outcome.kind === 'step') seen.push(outcome.step.kind);
    }
    expect(seen).toEqual(kinds);
    expect(asLinked(outcome)).toMatchObject({
      consent: 'ask',
      reference: expect.stringMatching(/^con_/),
    });
    const accounts = (await provider.fetchAccounts(customer.accessOf(outcome))).accounts;
    expect(accounts.map(({ accountType, mask }) => [accountType, mask])).toEqual([
      ['depository.checking', '1101'],
      ['depository.savings', '2202'],
      ['liability.credit_card', '3303'],
    ]);
  });

  it.each([
    ['locked', 'account_locked'],
    ['error_system_error', 'internal'],
    ['error_provider_error', 'provider_down'],
    ['error_institution_error', 'institution_down'],
    ['error_user_error', 'user_action_required'],
    ['error_incomplete', 'incomplete'],
  ])('fails the login of %s with %s', async (userName, cause) => {
    await expect(customer.logIn(userName)).rejects.toMatchObject(refusal(cause));
  });

  it('shows no account to no_accounts', async () => {
    expect(
      (await provider.fetchAccounts(customer.accessOf(await customer.logIn('no_accounts'))))
        .accounts,
    ).toEqual([]);
  });

  it('accepts error_incomplete every time a link is repaired', async () => {
    for (const reference of [null, 'con_unknown']) {
      expect(await customer.logIn('error_incomplete', [], { relink: { reference } })).toMatchObject(
        { kind: 'linked' },
      );
      await expect(customer.logIn('error_incomplete')).rejects.toMatchObject(refusal('incomplete'));
    }
  });

  it('accepts three passwords and reports the attempts left', async () => {
    const context = customer.contextOf();
    const first = await customer.begin(context);
    expect(first).toMatchObject({
      error: null,
      attemptsLeft: 3,
      step: { kind: 'form', purpose: 'credentials', help_url: `${bank.url}/help/${BANK}` },
    });
    const second = asStep(
      await customer.advance(context, first, credentials('user_good', 'wrong')),
    );
    const third = asStep(await customer.advance(context, second, credentials('no_one')));
    for (const [step, left] of [
      [second, 2],
      [third, 1],
    ] as const) {
      expect(step).toMatchObject({
        attemptsLeft: left,
        error: { code: 'invalid_credentials' },
        step: { kind: 'form' },
      });
    }
    await expect(
      customer.advance(context, third, credentials('user_good', 'wrong')),
    ).rejects.toMatchObject(refusal('invalid_credentials'));
    await expect(provider.begin(context)).rejects.toMatchObject(refusal('invalid_credentials'));
  });

  it.each<[string, StepInput, string]>([
    ['mfa_sms', otp('000000'), 'invalid_code'],
    ['mfa_questions', { kind: 'form', values: { colour: 'red', pet: 'rex' } }, 'invalid_answer'],
    ['mfa_image', { kind: 'image', answer: '7A3E' }, 'invalid_answer'],
  ])('accepts three answers of %s', async (userName, wrong, code) => {
    const context = customer.contextOf();
    let step = asStep(
      await customer.advance(context, await customer.begin(context), credentials(userName)),
    );
    for (const left of [2, 1]) {
      step = asStep(await customer.advance(context, step, wrong));
      expect(step).toMatchObject({ attemptsLeft: left, error: { code } });
    }
    await expect(customer.advance(context, step, wrong)).rejects.toMatchObject(
      refusal('mfa_failed'),
    );
  });

  it('accepts an answer once, reports the state of the login to a repeated one, and refuses an answer to another step', async () => {
    const context = customer.contextOf();
    const first = await customer.begin(context);
    const answers = [1, 2, 3].map(() =>
      customer.advance(context, first, credentials('user_good', 'wrong')),
    );
    // Three accepted answers would have ended the login.
    for (const outcome of await Promise.all(answers))
      expect(outcome).toMatchObject({ attemptsLeft: 2, error: { code: 'invalid_credentials' } });
    await expect(customer.advance(context, first, otp('123456'))).rejects.toMatchObject(
      refusal('internal'),
    );
    expect(await customer.begin(context)).toMatchObject({ attemptsLeft: 2 });
  });

  itInLongRuns('remembers a login across kill -9', async () => {
    const context = customer.contextOf();
    const step = asStep(
      await customer.advance(context, await customer.begin(context), credentials('mfa_sms')),
    );
    const { ports } = bank;
    await bank.kill();
    bank = await startSandboxBank({ databaseUrl: database.url, ports });
    expect(await customer.advance(context, step, otp('123456'))).toMatchObject({ kind: 'linked' });
  });

  it('keeps passwords, codes and answers out of its tables and its log', async () => {
    await customer.logIn('mfa_sms', [otp('canary-code')]).catch(() => null);
    await customer.advance(
      customer.contextOf(),
      await customer.begin(customer.contextOf()),
      credentials('user_good', 'canary-password'),
    );
    await customer.logIn('mfa_questions', [
      { kind: 'form', values: { colour: 'canary-answer', pet: 'rex' } },
    ]);
    const rows = await queryAt(
      database.url,
      `select l::text from sandbox_bank.login l union all select c::text from sandbox_bank.connection c`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).not.toMatch(/canary|pass_good/);
    expect(bank.output()).not.toMatch(/canary|pass_good/);
  });

  it('refuses an invalid world, invalid custom data and an invalid key', async () => {
    await expect(provider.begin(customer.contextOf({ worldId: 'mars' }))).rejects.toMatchObject(
      refusal('internal'),
    );
    await expect(
      provider.begin(customer.contextOf({ sandboxData: { accounts: [] } })),
    ).rejects.toMatchObject(refusal('internal'));
    const attemptKey = randomUUID();
    await provider.begin(customer.contextOf({ attemptKey }));
    await expect(
      provider.begin(customer.contextOf({ attemptKey, customerUserId: 'another' })),
    ).rejects.toMatchObject(refusal('internal'));
  });

  it('accepts as much custom data as link-lifecycle 13.4 allows', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      account: index % 2,
      date: '2026-01-15',
      amount: index,
      type: 'debit',
      description: `row ${index} ${'x'.repeat(100)}`,
    }));
    const accounts = [1, 2].map((number) => ({
      account_type: 'depository.savings',
      name: `Pot ${number}`,
      account_number: `90000${number}`,
    }));
    const outcome = await customer.logIn('user_custom', [], {
      sandboxData: { accounts, transactions: rows },
    });
    expect(
      (await provider.fetchAccounts(customer.accessOf(outcome))).accounts.map(({ name, mask }) => [
        name,
        mask,
      ]),
    ).toEqual([
      ['Pot 1', '0001'],
      ['Pot 2', '0002'],
    ]);
  });

  describe('with delays', () => {
    let slow: TestSandboxBank;
    let slowProvider: SandboxProvider;
    beforeAll(async () => {
      slow = await openSandboxBank({ databaseUrl: database.url, delayFactor: FACTOR });
      slowProvider = createSandboxProvider(connectionTo(slow));
    });
    afterAll(() => slow.stop());

    it('approves mfa_push after five seconds without any action', async () => {
      const patient = bankCustomer(slowProvider, BANK);
      const context = patient.contextOf();
      const startedAt = performance.now();
      const waiting = asStep(
        await patient.advance(context, await patient.begin(context), credentials('mfa_push')),
      );
      expect(waiting).toMatchObject({
        pollAfterMs: 1_000,
        attemptsLeft: null,
        expiresAt: expect.any(Date),
        step: { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true },
      });
      let outcome = await patient.poll(context, waiting);
      expect(outcome).toMatchObject({ kind: 'step', step: { kind: 'wait' } });
      while (outcome.kind === 'step') {
        await new Promise((resolve) => setTimeout(resolve, 100));
        outcome = await patient.poll(context, outcome);
      }
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5_000 * FACTOR);
      const again = await Promise.all([1, 2].map(() => patient.poll(context, waiting)));
      for (const end of again) expect(asLinked(end).reference).toBe(asLinked(outcome).reference);
    });

    it('responds after n seconds for slow_n', async () => {
      const startedAt = performance.now();
      expect(await bankCustomer(slowProvider, BANK).logIn('slow_7')).toMatchObject({
        kind: 'linked',
      });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(7_000 * FACTOR);
    });

    it('sends another code, but not too early', async () => {
      const patient = bankCustomer(slowProvider, BANK);
      const context = patient.contextOf();
      const asked = asStep(
        await patient.advance(context, await patient.begin(context), credentials('mfa_email')),
      );
      expect(asked.step).toMatchObject({
        kind: 'otp',
        channel: 'email',
        resend_after_seconds: 20 * FACTOR,
        length: 6,
      });
      let step = asStep(await patient.advance(context, asked, RESEND));
      expect(step).toMatchObject({ error: { code: 'resend_too_early' }, attemptsLeft: 3 });
      while (step.error !== null) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        step = asStep(await patient.advance(context, step, RESEND));
      }
      expect(step.expiresAt?.getTime()).toBeGreaterThan(asked.expiresAt?.getTime() ?? Infinity);
      expect(await patient.advance(context, step, otp('123456'))).toMatchObject({ kind: 'linked' });
    });

    it('leaves no request waiting when it closes', async () => {
      const closing = await openSandboxBank({ databaseUrl: database.url, delayFactor: 1 });
      const patient = bankCustomer(createSandboxProvider(connectionTo(closing)), BANK);
      const context = patient.contextOf();
      const waiting = patient
        .advance(context, await patient.begin(context), credentials('slow_60'))
        .catch((error: unknown) => error);
      // The bank is waiting for the answer once its request was read.
      await fetch(`${closing.url}/health/live`);
      await closing.stop();
      expect(await waiting).toMatchObject(refusal('institution_down'));
    });
  });
});
