import { randomUUID } from 'node:crypto';
import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import { eventually } from '../../support/assertions/eventually.js';
import { BANK, asks, failing, slowBank } from '../support/bank-behaviors.js';
import { FAKE_PROVIDER } from '../support/fake-session.js';
import { rejectionOf, SOFT_REPLY_MS } from '../support/session-user.js';
import { describeSessions, MAX_EVENTS_OF_A_LINK } from '../support/session-stage.js';
import { detailsOf } from '../../support/services/test-temporal.js';

describeSessions('linkSession', 'link-session', (stage) => {
  const { arrive, record } = stage;

  it('links at a bank that requires no input, and completes with the exchange', async () => {
    const user = arrive();
    expect(await user.open()).toEqual({ seq: 1 });
    expect(await user.submit(BANK)).toEqual({ seq: 2 });
    expect(user.row.shown).toEqual([
      { seq: 1, step: 'select_institution', accepted: false },
      { seq: 2, step: 'success', accepted: true },
    ]);
    expect(user.row.calls).toEqual([
      'loadSession',
      'showStep select_institution',
      'beginLogin fake-bank',
      `openBankLogin ${user.sessionId}/1`,
      'finishLinking',
    ]);

    expect(await user.open()).toEqual({ seq: 2 });
    expect(await user.exit()).toEqual({ seq: 2 });
    await user.handle.signal(exchangedSignal);
    expect(await user.result()).toEqual({ outcome: 'exchanged' });

    const { searchAttributes, historyLength } = await user.handle.describe();
    expect(searchAttributes).toMatchObject({
      LinkSessionId: [user.sessionId],
      AppId: ['demo'],
      Environment: ['sandbox'],
      LinkId: [`mk_${user.sessionId}`],
      InstitutionId: ['fake-bank'],
      Provider: [FAKE_PROVIDER],
      LinkState: ['connected'],
    });
    expect(historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
    expect(user.handle.workflowId).toBe(`link-session/${user.sessionId}`);
    await record(user, 'instant-bank');
  });

  it('returns a wait step when the bank is slow, and continues behind it', async () => {
    const user = arrive(SOFT_REPLY_MS);
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    await user.open();
    expect(await user.submit(BANK)).toEqual({ seq: 2 });
    expect(user.row.steps).toEqual(['select_institution', 'wait']);
    expect(await rejectionOf(user.submit(BANK, { seq: 2 }))).toBe('StepInProgress');
    bank.answer({ kind: 'linked', accounts: 1, questions: [] });
    await eventually(() => {
      expect(user.row.steps).toEqual(['select_institution', 'wait', 'success']);
    });
    // link-lifecycle 3: the idle time restarts once, with the step that follows the answer.
    expect(user.row.shown.map(({ accepted }) => accepted)).toEqual([false, true, false]);
    await user.handle.signal(exchangedSignal);
    await user.result();
    await record(user, 'slow-bank');
  });

  it('submits once per request id, even while the first is in progress', async () => {
    const user = arrive();
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    await user.open();
    const requestId = randomUUID();
    const both = [
      user.submit(BANK, { seq: 1, requestId }),
      user.submit(BANK, { seq: 1, requestId }),
    ];
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    bank.answer({ kind: 'linked', accounts: 1, questions: [] });
    expect(await Promise.all(both)).toEqual([{ seq: 2 }, { seq: 2 }]);
    expect(await user.submit(BANK, { seq: 1, requestId })).toEqual({ seq: 2 });
    expect(user.row.count('openBankLogin')).toBe(1);
    expect(user.row.count('beginLogin')).toBe(1);
    await user.handle.signal(exchangedSignal);
    await user.result();
  });

  it('refuses an old step, a second answer to one step, and everything after success', async () => {
    const user = arrive();
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    await user.open();
    expect(await rejectionOf(user.submit(BANK, { seq: 0 }))).toBe('StaleStep');
    expect(await rejectionOf(user.submit(BANK, { seq: 2 }))).toBe('StaleStep');
    const first = user.submit(BANK, { seq: 1 });
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    expect(await rejectionOf(user.submit(BANK, { seq: 1 }))).toBe('StepInProgress');
    bank.answer({ kind: 'linked', accounts: 1, questions: [] });
    await first;
    expect(await rejectionOf(user.submit(BANK, { seq: 2 }))).toBe('SessionClosed');
    await user.handle.signal(endedSignal);
    expect(await user.result()).toEqual({ outcome: 'ended' });
  });

  it('ends the attempt on exit, cancels the login, and starts again on request', async () => {
    const user = arrive();
    const bank = slowBank();
    user.row.bank = [bank.behavior, () => ({ kind: 'linked', accounts: 1, questions: [] })];
    await user.open();
    const submitted = user.submit(BANK, { seq: 1 });
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    user.row.link = { state: 'error', error: 'user_error' };
    expect(await user.exit()).toEqual({ seq: 2 });
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['error'],
      LinkErrorCode: ['user_error'],
    });
    user.row.link = null;
    expect(await submitted).toEqual({ seq: 2 });
    expect(bank.canceled()).toBe(true);
    expect(user.row.count('exitAttempt')).toBe(1);
    expect(user.row.steps).toEqual(['select_institution', 'select_institution']);

    expect(await user.open()).toEqual({ seq: 2 });
    expect(await user.submit(BANK)).toEqual({ seq: 3 });
    expect(user.row.steps.at(-1)).toBe('success');
    await user.handle.signal(exchangedSignal);
    await user.result();
    await record(user, 'exit-and-again');
  });

  it('lets the user leave a wait for the step before it', async () => {
    const user = arrive(SOFT_REPLY_MS);
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    await user.open();
    await user.submit(BANK);
    expect(user.row.steps).toEqual(['select_institution', 'wait']);
    await user.submit({ kind: 'wait', cancel: true });
    // The activity is canceled with the next heartbeat; until then the workflow waits for it.
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('select_institution');
    });
    expect(bank.canceled()).toBe(true);
    expect(user.row.count('exitAttempt')).toBe(0);
    await user.handle.signal(endedSignal);
    await user.result();
    await record(user, 'cancelled-wait');
  });

  it('shows operators the route of a login, and its reason, in the details of the workflow', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form')];
    await user.open();
    expect(await detailsOf(user.handle)).not.toContain('Route');
    await user.submit(BANK);
    expect(await detailsOf(user.handle)).toContain(
      `Route: \`${FAKE_PROVIDER}\` (\`preferred\`). Other routes: 1 possible, 2 dropped.\n\n\`links explain mk_${user.sessionId}\` gives the reason for each.`,
    );
    await user.handle.cancel();
  });

  it('shows operators whom a session waits for, at which bank, until when, and the last error', async () => {
    const user = arrive();
    user.row.bank = [failing('institution_down'), () => asks('form')];
    user.row.deadline = { lookAgainInMs: 600_000, isOver: false };
    await user.open();
    expect(await detailsOf(user.handle)).toMatch(
      /^Phase: `choosingBank`\.\n\nWaits for \*\*the user to choose a bank\*\* since [0-9-]+T[0-9:]+Z, until [0-9-]+T[0-9:]+Z at the latest\.$/,
    );
    await user.submit(BANK);
    const failed = await detailsOf(user.handle);
    expect(failed).toContain(`At \`fake-bank\` through \`${FAKE_PROVIDER}\`.`);
    expect(failed).toContain('the user to try again or choose another bank');
    expect(failed).toContain(
      'Last error: The bank is not reachable at the moment. (`institution_down`)',
    );
    expect(failed).not.toContain('canary-remote-text');
    await user.submit({ kind: 'error', action: 'retry' });
    const retried = await detailsOf(user.handle);
    expect(retried).toContain('the user to fill in the form of the bank');
    expect(retried).not.toContain('Last error');
    await user.handle.cancel();
    await user.result().catch(() => undefined);
    expect(await detailsOf(user.handle)).not.toContain('Waits for');
  });

  it('passes forms and codes to the bank by their name, and counts wrong ones', async () => {
    const user = arrive();
    user.row.bank = [
      () => asks('form'),
      () => asks('form', { refused: true, attemptsLeft: 2 }),
      () => asks('otp'),
      () => ({ kind: 'linked', accounts: 3, questions: [] }),
    ];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    await user.submit({ kind: 'form', sealedAs: 'answer-2' });
    expect(await user.submit({ kind: 'otp', sealedAs: 'answer-3' })).toEqual({ seq: 5 });
    expect(user.row.steps).toEqual(['select_institution', 'form', 'form', 'otp', 'success']);
    expect(user.row.calls.filter((call) => call.startsWith('answerBankStep'))).toEqual([
      'answerBankStep answer-1 left 2',
      'answerBankStep answer-2 left 1',
      'answerBankStep answer-3 left 2',
    ]);
    await user.handle.signal(exchangedSignal);
    await user.result();
    expect((await user.handle.describe()).historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
    await record(user, 'form-and-code');
  });

  it('ends the login after the last attempt, with the text of the step', async () => {
    const user = arrive();
    user.row.bank = [() => asks('otp'), () => asks('otp', { refused: true, attemptsLeft: 0 })];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'otp', sealedAs: 'answer-1' });
    expect(user.row.steps.at(-1)).toBe('connect_error.mfa_failed');
    await user.handle.signal(endedSignal);
    await user.result();
  });

  it('continues when the time for a step has expired', async () => {
    const user = arrive();
    user.row.bank = [() => asks('otp', { expiresInMs: 300 })];
    await user.open();
    await user.submit(BANK);
    await eventually(() => {
      expect(user.row.steps).toEqual(['select_institution', 'otp', 'connect_error.timeout']);
    });
    await user.handle.signal(endedSignal);
    await user.result();
  });

  it('returns from the first form to the choice of a bank', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form')];
    await user.open();
    await user.submit(BANK);
    expect(await user.submit({ kind: 'back' })).toEqual({ seq: 3 });
    expect(user.row.steps).toEqual(['select_institution', 'form', 'select_institution']);
    await user.handle.signal(endedSignal);
    await user.result();
  });

  it('logs in at once when the session is for one bank, and not again before it is opened again', async () => {
    const user = arrive();
    user.row.presetInstitutionId = 'only-bank';
    user.row.bank = [
      failing('institution_down'),
      () => ({ kind: 'linked', accounts: 1, questions: [] }),
    ];
    expect(await user.open()).toEqual({ seq: 1 });
    expect(user.row.steps).toEqual(['connect_error.institution_down']);
    expect(await user.exit()).toEqual({ seq: 2 });
    expect(user.row.steps.at(-1)).toBe('wait');
    expect(user.row.count('openBankLogin')).toBe(1);
    expect(await user.open()).toEqual({ seq: 3 });
    expect(user.row.steps.at(-1)).toBe('success');
    expect(user.row.count('openBankLogin')).toBe(2);
    await user.handle.signal(exchangedSignal);
    await user.result();
  });
});
