import { SessionOver, TransitionRefused } from '../../../domain/errors/change-refused.js';
import { WorkflowFailedError } from '@temporalio/client';
import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import { MAX_STEPS } from '../../../workflows/session/inbox.js';
import { eventually } from '../../support/assertions/eventually.js';
import { BANK, asks, slowBank } from '../support/bank-behaviors.js';
import { rejectionOf, SOFT_REPLY_MS, type SessionUser } from '../support/session-user.js';
import { describeSessions } from '../support/session-stage.js';
import { failedTasks, searchAttributesOf } from '../../support/services/test-temporal.js';

describeSessions('linkSession', 'link-session', (stage) => {
  const { arrive, record, sessions } = stage;

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
