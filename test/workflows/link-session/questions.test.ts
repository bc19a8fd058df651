import { TransitionRefused } from '../../../domain/errors/change-refused.js';
import { CancelledFailure } from '@temporalio/activity';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import { eventually } from '../../support/assertions/eventually.js';
import { BANK, asks, lost, refuses, slowBank } from '../support/bank-behaviors.js';
import type { BankBehavior, FakeSession } from '../support/fake-session.js';
import { rejectionOf, SessionUser } from '../support/session-user.js';
import { describeSessions, MAX_EVENTS_OF_A_LINK } from '../support/session-stage.js';
import { timersFired } from '../../support/services/test-temporal.js';

const FORM = { kind: 'form', sealedAs: 'answer-1' } as const;
const CONSENT = { kind: 'consent', granted: ['accounts', 'transactions'] } as const;
const ACCOUNTS = { kind: 'select_accounts', refs: ['a1', 'a3'] } as const;
const CANCEL = { kind: 'wait', cancel: true } as const;
const consent = { ...CONSENT, granted: [...CONSENT.granted] };
const accounts = { ...ACCOUNTS, refs: [...ACCOUNTS.refs] };
const linked: BankBehavior = () => ({ kind: 'linked', accounts: 3, questions: [] });
const asksForm: BankBehavior = () => asks('form');
const asksApproval: BankBehavior = () => asks('wait');

describeSessions('linkSession and its questions', 'link-session', (stage) => {
  const { arrive, record } = stage;

  /**
   * A user before the first step of a bank that is followed by questions about consent and
   * accounts.
   */
  async function atTheBank({
    softReplyMs,
    bank = [asksForm, linked],
    questions = ['consent', 'select_accounts'],
  }: {
    softReplyMs?: number;
    bank?: BankBehavior[];
    questions?: FakeSession['questions'];
  } = {}): Promise<SessionUser> {
    const user = arrive(softReplyMs);
    Object.assign(user.row, { bank, questions });
    await user.open();
    await user.submit(BANK);
    return user;
  }

  async function exchanged(user: SessionUser): Promise<void> {
    await user.handle.signal(exchangedSignal);
    expect(await user.result()).toEqual({ outcome: 'exchanged' });
  }

  async function ended(user: SessionUser): Promise<void> {
    await user.handle.signal(endedSignal);
    await user.result();
  }

  it('requests consent and accounts after the login, then finishes with both answers', async () => {
    const user = await atTheBank();
    await user.submit(FORM);
    expect(await user.submit(consent)).toEqual({ seq: 4 });
    expect(await user.submit(accounts)).toEqual({ seq: 5 });
    expect(user.row.steps).toEqual([
      'select_institution',
      'form',
      'consent',
      'select_accounts <',
      'success',
    ]);
    expect(user.row.shown.every(({ accepted }, index) => accepted === index > 0)).toBe(true);
    expect(user.row.answers).toEqual([{ granted: CONSENT.granted }, { refs: ACCOUNTS.refs }]);
    await exchanged(user);
    const { historyLength, searchAttributes } = await user.handle.describe();
    expect(historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
    expect(searchAttributes).toMatchObject({ LinkState: ['connected'] });
    await record(user, 'consent-and-accounts');
  });

  it('shows the link unchanged while its result waits for a confirmation of the app', async () => {
    const user = await atTheBank({ questions: ['consent'] });
    await user.submit(FORM);
    user.row.link = { state: 'connecting', error: null };
    await user.submit(consent);
    expect(user.row.steps.at(-1)).toBe('success');
    const published = async () => (await user.handle.describe()).searchAttributes['LinkState'];
    await eventually(async () => expect(await published()).toEqual(['connecting']));
    await exchanged(user);
    expect(await published()).toEqual(['connected']);
  });

  it('asks only necessary questions', async () => {
    const onlyConsent = await atTheBank({ questions: ['consent'] });
    await onlyConsent.submit(FORM);
    await onlyConsent.submit(consent);
    expect(onlyConsent.row.steps.slice(2)).toEqual(['consent', 'success']);
    expect(onlyConsent.row.answers).toEqual([{ granted: CONSENT.granted }]);
    await exchanged(onlyConsent);

    const onlyAccounts = await atTheBank({ questions: ['select_accounts'] });
    await onlyAccounts.submit(FORM);
    expect(onlyAccounts.row.steps.slice(2)).toEqual(['select_accounts']);
    await onlyAccounts.submit(accounts);
    await exchanged(onlyAccounts);
  });

  it('goes back from accounts to consent', async () => {
    const user = await atTheBank();
    await user.submit(FORM);
    await user.submit(consent);
    await user.submit({ kind: 'back' });
    await user.submit({ kind: 'consent', granted: ['accounts'] });
    await user.submit(accounts);
    expect(user.row.steps.slice(2)).toEqual([
      'consent',
      'select_accounts <',
      'consent',
      'select_accounts <',
      'success',
    ]);
    expect(user.row.answers).toEqual([
      { granted: CONSENT.granted },
      { granted: ['accounts'] },
      { refs: ACCOUNTS.refs },
    ]);
    await exchanged(user);
  });

  it('discards the questions of a login that the user left', async () => {
    const user = await atTheBank({ bank: [asksForm, linked, asksForm, asksForm, linked] });
    await user.submit(FORM);
    await user.submit(consent);
    await user.exit();
    expect(user.row.steps.at(-1)).toBe('select_institution');
    await user.submit(BANK);
    await user.submit({ kind: 'back' });
    expect(user.row.steps.slice(-2)).toEqual(['form', 'select_institution']);
    await user.submit(BANK);
    await user.submit(FORM);
    expect(user.row.steps.at(-1)).toBe('consent');
    await ended(user);
  });

  it('shows a problem when the end of linking is refused, and retries the login', async () => {
    const user = await atTheBank({ bank: [asksForm, linked] });
    await user.submit(FORM);
    await user.submit(consent);
    user.row.failing.set(
      'finishLinking',
      () => new TransitionRefused('lnk', 'linking_done', 'deleted'),
    );
    await user.submit(accounts);
    expect(user.row.steps.at(-1)).toBe('connect_error.internal');
    await user.submit({ kind: 'error', action: 'retry' });
    expect(user.row.count('beginLogin')).toBe(2);
    await ended(user);
  });

  describe('an approval on another device', () => {
    it('is polled in one activity, and the user can leave its wait', async () => {
      const waiting = slowBank();
      const user = await atTheBank({ bank: [asksForm, asksApproval, waiting.behavior] });
      expect(await user.submit(FORM)).toEqual({ seq: 3 });
      expect(user.row.steps).toEqual(['select_institution', 'form', 'wait']);
      await eventually(() => {
        expect(waiting.asked()).toBe(true);
      });
      expect(await rejectionOf(user.submit(FORM))).toBe('StepInProgress');
      waiting.answer({ kind: 'linked', accounts: 1, questions: [] });
      await eventually(() => {
        expect(user.row.steps.at(-1)).toBe('consent');
      });
      await user.submit(consent);
      await user.submit(accounts);
      await exchanged(user);
      expect(user.row.count('awaitBank')).toBe(1);
      await record(user, 'approval');

      const forNothing = slowBank();
      const leaving = await atTheBank({
        bank: [asksForm, asksApproval, forNothing.behavior, asksForm],
      });
      await leaving.submit(FORM);
      await eventually(() => {
        expect(forNothing.asked()).toBe(true);
      });
      await leaving.submit(CANCEL);
      // connect 5, rule 11: before the login, which starts again at the bank.
      await eventually(() => {
        expect(leaving.row.steps.at(-1)).toBe('form');
      });
      expect(forNothing.canceled()).toBe(true);
      expect(leaving.row.calls.slice(-3)).toEqual([
        'beginLogin fake-bank',
        `openBankLogin ${leaving.sessionId}/3`,
        'showPreparedStep form',
      ]);
      await ended(leaving);
    });

    it('is not polled beyond its time', async () => {
      const waiting = slowBank();
      const user = await atTheBank({
        bank: [asksForm, () => asks('wait', { expiresInMs: 5_000 }), waiting.behavior],
      });
      await user.submit(FORM);
      await eventually(() => {
        expect(user.row.steps.at(-1)).toBe('connect_error.timeout');
      });
      expect(waiting.canceled()).toBe(true);
      await ended(user);
    });

    it('may outlast its time when it was canceled, without affecting the next login', async () => {
      let stop: () => void = () => undefined;
      let asked = false;
      const stubborn: BankBehavior = () =>
        new Promise((_, reject) => {
          asked = true;
          stop = () => {
            reject(new CancelledFailure('stopped'));
          };
        });
      const user = await atTheBank({
        bank: [asksForm, () => asks('wait', { expiresInMs: 10_000 }), stubborn, asksForm],
      });
      await user.submit(FORM);
      await eventually(() => {
        expect(asked).toBe(true);
      });
      const canceled = user.submit(CANCEL);
      await eventually(async () => {
        expect(await timersFired(user.handle)).toBeGreaterThan(0);
      });
      expect(await rejectionOf(user.submit(CANCEL))).toBe('StepInProgress');
      stop();
      await canceled;
      expect(user.row.steps).toEqual(['select_institution', 'form', 'wait', 'form']);
      await ended(user);
      expect(await timersFired(user.handle)).toBe(1);
    });

    it('ends with the result of the bank', async () => {
      const user = await atTheBank({
        bank: [
          asksForm,
          asksApproval,
          refuses('user_denied', (cause) => new ProviderFailure(cause, 'no')),
        ],
      });
      await user.submit(FORM);
      await eventually(() => {
        expect(user.row.steps.at(-1)).toBe('connect_error.oauth_denied');
      });
      expect(user.row.count('awaitBank')).toBe(1);
      await ended(user);
    });

    it('is canceled by exit', async () => {
      const waiting = slowBank();
      const user = await atTheBank({ bank: [asksForm, asksApproval, waiting.behavior] });
      await user.submit(FORM);
      await eventually(() => {
        expect(waiting.asked()).toBe(true);
      });
      await user.exit();
      expect(waiting.canceled()).toBe(true);
      expect(user.row.steps.at(-1)).toBe('select_institution');
      await ended(user);
    });

    it('is polled again by the same activity when the worker is lost', async () => {
      const user = await atTheBank({ bank: [asksForm, asksApproval, lost, linked] });
      await user.submit(FORM);
      await eventually(() => {
        expect(user.row.steps.at(-1)).toBe('consent');
      });
      expect(user.row.count('awaitBank')).toBe(2);
      await ended(user);
    });

    it('is polled again when its history is lost', async () => {
      const first = slowBank();
      const user = await atTheBank({ bank: [asksForm, asksApproval, first.behavior, linked] });
      await user.submit(FORM);
      await eventually(() => {
        expect(first.asked()).toBe(true);
      });
      await user.handle.terminate('the history is gone');
      expect(await user.open()).toEqual({ seq: 3 });
      await eventually(() => {
        expect(user.row.steps.at(-1)).toBe('consent');
      });
      expect(user.row.steps).toEqual(['select_institution', 'form', 'wait', 'consent']);
      await ended(user);
    });
  });

  describe('when its history was lost', () => {
    it.each<[string, FakeSession['questions'][number]]>([
      ['consent', 'consent'],
      ['accounts', 'select_accounts'],
    ])('continues at %s', async (_, question) => {
      const user = await atTheBank();
      await user.submit(FORM);
      if (question === 'select_accounts') await user.submit(consent);
      const { seq } = user.row;
      await user.handle.terminate('the history is gone');
      expect(await user.open()).toEqual({ seq });
      if (question === 'select_accounts') await user.submit({ kind: 'back' });
      await user.submit(consent);
      await user.submit(accounts);
      expect(user.row.steps.at(-1)).toBe('success');
      await exchanged(user);
    });

    it('asks the remaining questions', async () => {
      const user = await atTheBank();
      user.row.bankAccepted = true;
      await user.handle.terminate('the history is gone');
      await user.open();
      expect(user.row.steps.at(-1)).toBe('consent');
      await ended(user);
    });
  });
});
