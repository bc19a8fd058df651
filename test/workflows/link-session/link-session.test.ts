import { SessionOver, TransitionRefused } from '../../../domain/errors/change-refused.js';
import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import {
  endedSignal,
  exchangedSignal,
  linkSessionWorkflowId,
} from '../../../workflows/session/session.contract.js';
import { MAX_STEPS } from '../../../workflows/session/inbox.js';
import { eventually } from '../../support/assertions/eventually.js';
import { asks, FAKE_PROVIDER, lost, refuses, slowBank } from '../support/fake-session.js';
import { rejectionOf, SOFT_REPLY_MS, type SessionUser } from '../support/session-user.js';
import { describeSessions } from '../support/session-stage.js';
import {
  detailsOf,
  failedTasks,
  historyText,
  recordedStories,
  replayStory,
  searchAttributesOf,
} from '../../support/services/test-temporal.js';

const MAX_EVENTS_OF_A_LINK = 120;
const BANK = { kind: 'select_institution', institution_id: 'fake-bank' } as const;
const failing = (cause: Parameters<typeof refuses>[0]) =>
  refuses(cause, (known) => new ProviderFailure(known, 'canary-remote-text'));

describeSessions('linkSession', 'link-session', (stage) => {
  const { arrive, record, sessions, startWorkers } = stage;

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

  it('ends when the row has expired', async () => {
    const user = arrive();
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.open();
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect(user.row.state).toBe('ended');
    await record(user, 'expired');
  });

  it('checks again when a deadline has moved, and cancels a login that outlasts the session', async () => {
    const user = arrive();
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.open();
    const submitted = user.submit(BANK);
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    const looks = user.row.looks;
    await eventually(() => {
      expect(user.row.looks).toBeGreaterThan(looks + 1);
    });
    expect(user.row.state).toBe('open');
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect(await submitted).toEqual({ seq: 1 });
    expect(bank.canceled()).toBe(true);
    expect(user.row.count('finishLinking')).toBe(0);
  });

  it('waits for the exchange after success until its window has expired', async () => {
    const user = arrive();
    await user.open();
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.submit(BANK);
    expect(user.row.steps.at(-1)).toBe('success');
    user.row.link = { state: 'error', error: 'user_error' };
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['error'],
      LinkErrorCode: ['user_error'],
    });
    await record(user, 'exchange-window-over');
  });

  it('waits for the exchange even when the session ends before its window', async () => {
    const user = arrive();
    await user.open();
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.submit(BANK);
    user.row.state = 'ended';
    const looks = user.row.looks;
    await eventually(() => {
      expect(user.row.looks).toBeGreaterThan(looks + 2);
    });
    expect(await rejectionOf(user.submit(BANK))).toBe('SessionClosed');
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect(await failedTasks(user.handle)).toEqual([]);
    await record(user, 'exchange-window-outlasts-session');
  });

  it('reports the outcome of the link even when its exchange arrives after the deadline', async () => {
    const user = arrive();
    await user.open();
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.submit(BANK);
    user.row.link = { state: 'connected', error: null };
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['connected'],
    });
    await record(user, 'exchanged-without-a-word');
  });

  it('shows the reason why a login failed, and retries there or elsewhere', async () => {
    const user = arrive();
    user.row.bank = [
      failing('institution_down'),
      failing('account_locked'),
      () => ({ kind: 'linked', accounts: 1, questions: [] }),
    ];
    await user.open();
    expect(await user.submit(BANK)).toEqual({ seq: 2 });
    expect(await user.submit({ kind: 'error', action: 'retry' })).toEqual({ seq: 3 });
    expect(await user.submit({ kind: 'error', action: 'choose_another' })).toEqual({ seq: 4 });
    await user.submit({ kind: 'select_institution', institution_id: 'other-bank' });
    expect(user.row.steps).toEqual([
      'select_institution',
      'connect_error.institution_down',
      'connect_error.account_locked',
      'select_institution',
      'success',
    ]);
    expect(
      user.row.calls.filter(
        (call) => call.startsWith('beginLogin') || call.startsWith('failLogin'),
      ),
    ).toEqual([
      'beginLogin fake-bank',
      'failLogin institution_down',
      'beginLogin fake-bank',
      'failLogin account_locked',
      'beginLogin other-bank',
    ]);
    expect(await historyText(user.handle)).not.toContain('canary-remote-text');
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['awaiting_token_exchange'],
    });
    await user.handle.signal(exchangedSignal);
    await user.result();
    await record(user, 'failure-and-retry');
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

  it('tries another provider once when a bank cannot be reached, before the user sees anything', async () => {
    const user = arrive();
    user.row.hasAnotherRoute = true;
    user.row.bank = [
      failing('provider_down'),
      () => ({ kind: 'linked', accounts: 1, questions: [] }),
    ];
    await user.open();
    expect(await user.submit(BANK)).toEqual({ seq: 2 });
    expect(user.row.steps).toEqual(['select_institution', 'success']);
    expect(user.row.calls.slice(2)).toEqual([
      'beginLogin fake-bank',
      `openBankLogin ${user.sessionId}/1`,
      `takeNextRoute fake-bank after ${FAKE_PROVIDER}`,
      `openBankLogin ${user.sessionId}/1/2`,
      'finishLinking',
    ]);
    expect(await detailsOf(user.handle)).toContain('(`only_route`). Other routes: 0 possible, 3');
    await user.handle.signal(exchangedSignal);
    await user.result();
    await record(user, 'another-provider');
  });

  it('tries no third provider, and none once the user was prompted for anything', async () => {
    const user = arrive();
    user.row.hasAnotherRoute = true;
    user.row.bank = [
      failing('provider_down'),
      failing('provider_down'),
      () => asks('form'),
      failing('provider_down'),
    ];
    await user.open();
    await user.submit(BANK);
    expect(await user.submit({ kind: 'error', action: 'retry' })).toEqual({ seq: 3 });
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    expect(user.row.steps).toEqual([
      'select_institution',
      'connect_error.provider_down',
      'form',
      'connect_error.provider_down',
    ]);
    expect(user.row.count('takeNextRoute')).toBe(1);
    await user.handle.cancel();
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
    await record(user, 'step-time-over');
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

  it('ends the session cleanly when an operator cancels it, and notifies waiting requests', async () => {
    const user = arrive();
    const bank = slowBank();
    user.row.bank = [bank.behavior];
    await user.open();
    const submitted = rejectionOf(user.submit(BANK, { seq: 1 }));
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    user.row.link = { state: 'error', error: 'user_error' };
    await user.handle.cancel();
    expect(await submitted).toBe('SessionClosed');
    await expect(user.handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(user.row.state).toBe('ended');
    expect(user.row.count('cancelSession')).toBe(1);
    expect((await user.handle.describe()).status.name).toBe('CANCELLED');
    // A search for failed links finds it.
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['error'],
      LinkErrorCode: ['user_error'],
    });
    await record(user, 'cancelled');
  });

  it('repeats a lost login only where that is harmless', async () => {
    const repeatable = arrive();
    repeatable.row.mayRepeat = true;
    repeatable.row.bank = [lost, () => ({ kind: 'linked', accounts: 1, questions: [] })];
    await repeatable.open();
    await repeatable.submit(BANK);
    expect(repeatable.row.steps.at(-1)).toBe('success');
    expect(repeatable.row.calls.filter((call) => call.startsWith('openBankLogin'))).toEqual([
      `openBankLogin ${repeatable.sessionId}/1`,
      `openBankLogin ${repeatable.sessionId}/1`,
    ]);
    await repeatable.handle.signal(exchangedSignal);
    await repeatable.result();
    await record(repeatable, 'lost-login-repeated');

    const once = arrive();
    once.row.bank = [
      () => asks('form'),
      lost,
      () => ({ kind: 'linked', accounts: 1, questions: [] }),
    ];
    await once.open();
    await once.submit(BANK);
    await once.submit({ kind: 'form', sealedAs: 'answer-1' });
    expect(once.row.steps).toEqual(['select_institution', 'form', 'form !interrupted']);
    await once.submit({ kind: 'form', sealedAs: 'answer-2' });
    // connect 5, rule 12: it used up no attempt.
    expect(once.row.calls.filter((call) => call.startsWith('answerBankStep'))).toEqual([
      'answerBankStep answer-1 left 2',
      'answerBankStep answer-2 left 2',
    ]);
    expect(once.row.steps.at(-1)).toBe('success');
    await once.handle.signal(exchangedSignal);
    await once.result();
    await record(once, 'lost-answer');
  });

  it('continues on another worker when one is stopped in the middle of a login', async () => {
    const user = arrive(SOFT_REPLY_MS);
    user.row.mayRepeat = true;
    const bank = slowBank();
    user.row.bank = [bank.behavior, () => ({ kind: 'linked', accounts: 1, questions: [] })];
    await user.open();
    const submitted = user.submit(BANK);
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    await stage.temporal.stopWorkers();
    expect(bank.canceled()).toBe(true);
    await startWorkers();
    await submitted;
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('success');
    });
    expect(user.row.count('openBankLogin')).toBe(2);
    await user.handle.signal(exchangedSignal);
    await user.result();
    await record(user, 'worker-stopped');
  });

  it('does not call the bank again when a lost login had been stored', async () => {
    const user = arrive();
    user.row.mayRepeat = true;
    user.row.bank = [
      (signal, answer) => {
        user.row.bankAccepted = true;
        return lost(signal, answer);
      },
    ];
    await user.open();
    await user.submit(BANK);
    expect(user.row.steps).toEqual(['select_institution', 'success']);
    expect(user.row.count('openBankLogin')).toBe(1);
    await user.handle.signal(exchangedSignal);
    await user.result();
  });

  describe('when its history was lost', () => {
    const lose = (user: SessionUser) => user.handle.terminate('the history is gone');

    it('continues at the step of the row', async () => {
      const user = arrive();
      await user.open();
      await lose(user);
      expect(await rejectionOf(user.submit(BANK, { seq: 7 }))).toBe('StaleStep');
      expect(await user.submit(BANK, { seq: 1 })).toEqual({ seq: 2 });
      expect(user.row.steps).toEqual(['select_institution', 'success']);
      await lose(user);
      expect(await user.open()).toEqual({ seq: 2 });
      expect(await rejectionOf(user.submit(BANK))).toBe('SessionClosed');
      await user.handle.signal(exchangedSignal);
      expect(await user.result()).toEqual({ outcome: 'exchanged' });
      await record(user, 'restarted-after-success');
    });

    it("shows the user's pending step again", async () => {
      const user = arrive(SOFT_REPLY_MS);
      const bank = slowBank();
      user.row.bank = [bank.behavior, () => ({ kind: 'linked', accounts: 1, questions: [] })];
      await user.open();
      await user.submit(BANK);
      await lose(user);
      expect(await user.open()).toEqual({ seq: 3 });
      expect(user.row.steps).toEqual([
        'select_institution',
        'wait',
        'select_institution !interrupted',
      ]);
      expect(await user.submit(BANK)).toEqual({ seq: 4 });
      await user.handle.signal(exchangedSignal);
      await user.result();
      await record(user, 'restarted-while-waiting');
    });

    it('completes the login that the bank had accepted', async () => {
      const user = arrive();
      user.row.show(1, 'select_institution');
      user.row.show(2, 'wait');
      user.row.bankAccepted = true;
      expect(await user.open()).toEqual({ seq: 3 });
      expect(user.row.steps.at(-1)).toBe('success');
      await user.handle.signal(endedSignal);
      await user.result();
    });

    it('refuses a finished session, and one that never existed', async () => {
      const user = arrive();
      user.row.state = 'ended';
      expect(await rejectionOf(user.open())).toBe('SessionClosed');
      expect(await user.result()).toEqual({ outcome: 'ended' });
      const no_one = arrive();
      sessions.delete(no_one.sessionId);
      expect(await rejectionOf(no_one.open())).toBe('SessionClosed');
    });
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
    await record(user, 'one-bank');
  });

  it('shows a problem when the database refuses, and ends when the session no longer exists', async () => {
    const user = arrive();
    const refused = () => new TransitionRefused('lnk', 'linking_done', 'deleted');
    user.row.failing.set('beginLogin', refused);
    await user.open();
    await user.submit(BANK);
    expect(user.row.steps).toEqual(['select_institution', 'connect_error.internal']);
    user.row.failing.set('beginLogin', () => {
      user.row.state = 'ended';
      return new SessionOver('ses');
    });
    await user.submit({ kind: 'error', action: 'retry' });
    expect(await user.result()).toEqual({ outcome: 'ended' });
  });

  it('replays deterministically', async () => {
    const handles = [...sessions.keys()].map((sessionId) =>
      stage.temporal.client.workflow.getHandle(linkSessionWorkflowId(sessionId)),
    );
    expect(handles.length).toBeGreaterThan(20);
    expect((await Promise.all(handles.map(failedTasks))).flat()).toEqual([]);
  });

  it('ends a session that takes too many steps', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form')];
    user.row.show(MAX_STEPS - 1, 'select_institution');
    await user.submit(BANK);
    expect(user.row.steps.at(-1)).toBe('form');
    user.row.link = { state: 'error', error: 'user_error' };
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect(user.row.count('cancelSession')).toBe(1);
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkId: [`mk_${user.sessionId}`],
      LinkState: ['error'],
      LinkErrorCode: ['user_error'],
    });
  });

  it('reports that its link was deleted', async () => {
    const user = arrive();
    await user.open();
    await user.submit(BANK);
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['awaiting_token_exchange'],
    });
    Object.assign(user.row, { state: 'ended', link: { state: 'deleted', error: null } });
    await user.handle.signal(endedSignal);
    expect(await user.result()).toEqual({ outcome: 'ended' });
    const searchAttributes = await searchAttributesOf(user.handle);
    expect(searchAttributes).toMatchObject({
      LinkId: [`mk_${user.sessionId}`],
      LinkState: ['deleted'],
    });
    expect(searchAttributes).not.toHaveProperty('LinkErrorCode');
    await record(user, 'link-deleted');
  });

  it('names no link that the session abandoned for another bank before starting one there', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form')];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'back' });
    user.row.redirects = true;
    await user.submit({ kind: 'select_institution', institution_id: 'other-bank' });
    expect(user.row.steps.at(-1)).toBe('redirect');
    user.row.state = 'ended';
    await user.handle.signal(endedSignal);
    await user.result();
    const searchAttributes = await searchAttributesOf(user.handle);
    expect(searchAttributes).not.toHaveProperty('LinkId');
    expect(searchAttributes).not.toHaveProperty('LinkState');
  });
});

describe('Recorded linkSession histories', () => {
  it.each(recordedStories('link-session'))('replay without a difference: %s', async (story) => {
    await expect(replayStory('link-session', story)).resolves.toBeUndefined();
  });
});
