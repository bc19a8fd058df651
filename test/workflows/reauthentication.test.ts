import { WorkflowFailedError } from '@temporalio/client';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { endedSignal } from '../../workflows/session/session.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { asks, refuses, slowBank } from './support/bank-behaviors.js';
import type { BankBehavior, FakeSession } from './support/fake-session.js';
import { rejectionOf, SessionUser, SOFT_REPLY_MS } from './support/session-user.js';
import { describeSessions, MAX_EVENTS_OF_A_LINK } from './support/session-stage.js';

const FORM = { kind: 'form', sealedAs: 'answer-1' } as const;
const linked: BankBehavior = () => ({ kind: 'linked', accounts: 3, questions: [] });
const asksForm: BankBehavior = () => asks('form');

describeSessions('reauthentication', 'reauthentication', (stage) => {
  const { arrive, record } = stage;

  async function opened({
    softReplyMs,
    bank = [linked],
    questions = [],
  }: {
    softReplyMs?: number;
    bank?: BankBehavior[];
    questions?: FakeSession['questions'];
  } = {}): Promise<SessionUser> {
    const user = arrive(softReplyMs);
    Object.assign(user.row, { bank, questions });
    await user.open();
    return user;
  }

  it('goes straight to success at a bank that requires no input, and completes', async () => {
    const user = await opened();
    expect(user.row.steps).toEqual(['success']);
    expect(await user.result()).toEqual({ outcome: 'succeeded' });
    const { searchAttributes, historyLength } = await user.handle.describe();
    expect(searchAttributes).toMatchObject({
      LinkSessionId: [user.sessionId],
      LinkId: [`mk_${user.sessionId}`],
      InstitutionId: ['fake-bank'],
      LinkState: ['connected'],
    });
    expect(historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
    expect(user.handle.workflowId).toBe(`reauthentication/${user.sessionId}`);
    await record(user, 'instant-bank');
    // The row is in its final state: a later window sees the success, and no further step is
    // possible.
    expect(await user.open()).toEqual({ seq: 1 });
    expect(await rejectionOf(user.submit(FORM))).toBe('SessionClosed');
  });

  it('starts with the login of its bank, and requests new products', async () => {
    const user = await opened({
      bank: [asksForm, linked],
      questions: ['consent', 'select_accounts'],
    });
    await user.submit(FORM);
    await user.submit({ kind: 'consent', granted: ['identity'] });
    await user.submit({ kind: 'select_accounts', refs: ['a2'] });
    expect(user.row.steps).toEqual(['form', 'consent', 'select_accounts <', 'success']);
    expect(user.row.answers).toEqual([{ granted: ['identity'] }, { refs: ['a2'] }]);
    expect(await user.result()).toEqual({ outcome: 'succeeded' });
  });

  it('announces nothing about the link before its success', async () => {
    const user = await opened({
      bank: [
        asksForm,
        refuses('user_denied', (cause) => new ProviderFailure(cause, 'no')),
        asksForm,
        linked,
      ],
    });
    await user.submit(FORM);
    expect(user.row.steps.at(-1)).toBe('connect_error.oauth_denied');
    expect((await user.handle.describe()).searchAttributes).not.toHaveProperty('LinkState');
    await user.submit({ kind: 'error', action: 'retry' });
    await user.submit(FORM);
    expect(user.row.steps.slice(-2)).toEqual(['form', 'success']);
    await user.result();
  });

  it('starts again at its bank after an exit', async () => {
    const user = await opened({ bank: [asksForm, asksForm, linked] });
    await user.exit();
    expect(user.row.steps).toEqual(['form', 'wait']);
    await user.open();
    expect(user.row.steps).toEqual(['form', 'wait', 'form']);
    await user.submit(FORM);
    expect(await user.result()).toEqual({ outcome: 'succeeded' });
    await record(user, 'exit-and-again');
  });

  it('ends when a newer session replaces it, and cancels its login', async () => {
    const bank = slowBank();
    const user = await opened({ softReplyMs: SOFT_REPLY_MS, bank: [asksForm, bank.behavior] });
    await user.submit(FORM);
    await eventually(() => {
      expect(bank.asked()).toBe(true);
    });
    Object.assign(user.row, { state: 'ended', link: { state: 'error', error: 'auth_expired' } });
    await user.handle.signal(endedSignal);
    expect(await user.result()).toEqual({ outcome: 'ended' });
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkState: ['error'],
      LinkErrorCode: ['auth_expired'],
    });
    expect(bank.canceled()).toBe(true);
    expect(user.row.count('finishLinking')).toBe(0);
  });

  it('ends when it expires', async () => {
    const user = await opened({ bank: [asksForm] });
    user.row.deadline = { lookAgainInMs: 100, isOver: false };
    await user.exit();
    user.row.deadline.isOver = true;
    expect(await user.result()).toEqual({ outcome: 'ended' });
  });

  it('continues from the row when its history is lost', async () => {
    const user = await opened({ bank: [asksForm, linked], questions: ['select_accounts'] });
    await user.submit(FORM);
    await user.handle.terminate('the history is gone');
    expect(await user.open()).toEqual({ seq: 2 });
    await user.submit({ kind: 'select_accounts', refs: ['a1'] });
    expect(await user.result()).toEqual({ outcome: 'succeeded' });
  });

  it('ends the session when an operator cancels it', async () => {
    const user = await opened({ bank: [asksForm] });
    await user.handle.cancel();
    await expect(user.handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(user.row).toMatchObject({ state: 'ended' });
    await record(user, 'cancelled');
  });
});
