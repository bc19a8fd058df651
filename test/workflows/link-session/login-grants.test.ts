import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import { eventually } from '../../support/assertions/eventually.js';
import { BANK, asks, failing, lost, slowBank } from '../support/bank-behaviors.js';
import type { BankBehavior } from '../support/fake-session.js';
import { SOFT_REPLY_MS, type SessionUser } from '../support/session-user.js';
import { describeSessions } from '../support/session-stage.js';

describeSessions('linkSession whose login has received a permission', 'link-session', (stage) => {
  const { arrive } = stage;
  /** The bank accepted the login, and this is the outcome of the list of its accounts. */
  const granted =
    (user: SessionUser, then: BankBehavior): BankBehavior =>
    (signal, answer) => {
      user.row.hasGrant = true;
      return then(signal, answer);
    };
  const linked: BankBehavior = () => ({ kind: 'linked', accounts: 1, questions: [] });
  const bankCalls = (user: SessionUser) =>
    user.row.calls.filter((call) => /^(beginLogin|openBankLogin|answerBankStep)/.test(call));

  it('continues with its permission when the worker is lost before the accounts are listed', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form'), granted(user, lost), lost, linked];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    expect(user.row.steps).toEqual(['select_institution', 'form', 'success']);
    expect(bankCalls(user)).toEqual([
      'beginLogin fake-bank',
      `openBankLogin ${user.sessionId}/1`,
      'answerBankStep answer-1 left 2',
      'beginLogin fake-bank resumed',
      `openBankLogin ${user.sessionId}/2`,
      `openBankLogin ${user.sessionId}/2`,
    ]);
    await user.handle.signal(exchangedSignal);
    await user.result();
  });

  it('offers another attempt when workers are lost again and again', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form'), granted(user, lost), lost, lost, lost, linked];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    expect(user.row.steps.at(-1)).toBe('connect_error.internal');
    await user.submit({ kind: 'error', action: 'retry' });
    expect(user.row.steps.at(-1)).toBe('success');
    expect(user.row.count('answerBankStep')).toBe(1);
    await user.handle.signal(endedSignal);
    await user.result();
  });

  it('tries again with its permission, through the same provider even if another one is possible', async () => {
    const user = arrive();
    user.row.hasAnotherRoute = true;
    const down = failing('institution_down');
    user.row.bank = [() => asks('form'), granted(user, down), down, linked];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    await user.submit({ kind: 'error', action: 'retry' });
    expect(user.row.steps.at(-1)).toBe('connect_error.institution_down');
    await user.submit({ kind: 'error', action: 'retry' });
    expect(user.row.steps.at(-1)).toBe('success');
    expect(user.row.count('takeNextRoute')).toBe(0);
    expect(user.row.count('answerBankStep')).toBe(1);
    await user.handle.signal(exchangedSignal);
    await user.result();
  });

  it('starts a login of its own when the user chooses the bank again', async () => {
    const user = arrive();
    user.row.bank = [() => asks('form'), granted(user, failing('malformed')), linked];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    await user.submit({ kind: 'error', action: 'choose_another' });
    await user.submit(BANK);
    expect(bankCalls(user).at(-2)).toBe('beginLogin fake-bank');
    await user.handle.signal(endedSignal);
    await user.result();
  });

  it('continues with its permission when the history is lost while the user waits', async () => {
    const user = arrive(SOFT_REPLY_MS);
    const bank = slowBank();
    user.row.bank = [() => asks('form'), granted(user, bank.behavior), linked];
    await user.open();
    await user.submit(BANK);
    await user.submit({ kind: 'form', sealedAs: 'answer-1' });
    await user.handle.terminate('the history is gone');
    await user.open();
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('success');
    });
    expect(user.row.steps.slice(0, 3)).toEqual(['select_institution', 'form', 'wait']);
    await user.handle.signal(endedSignal);
    await user.result();
  });
});
