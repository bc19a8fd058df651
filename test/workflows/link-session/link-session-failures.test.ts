import { exchangedSignal } from '../../../workflows/session/session.contract.js';
import { eventually } from '../../support/assertions/eventually.js';
import { BANK, asks, failing, lost, slowBank } from '../support/bank-behaviors.js';
import { FAKE_PROVIDER } from '../support/fake-session.js';
import { SOFT_REPLY_MS } from '../support/session-user.js';
import { describeSessions } from '../support/session-stage.js';
import { detailsOf, historyText } from '../../support/services/test-temporal.js';

describeSessions('linkSession', 'link-session', (stage) => {
  const { arrive, record, startWorkers } = stage;

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

  it('leaves a provider that is silent for longer than its patience, once, and waits for the other one for as long as it takes', async () => {
    const user = arrive();
    user.row.hasAnotherRoute = true;
    user.row.patienceMs = 20;
    const [first, second] = [slowBank(), slowBank()];
    user.row.bank = [first.behavior, second.behavior];
    await user.open();
    const reply = user.submit(BANK);
    await eventually(() => expect(second.asked()).toBe(true));
    expect(first.canceled()).toBe(true);
    // A late answer of the first provider has no one to reach.
    first.answer({ kind: 'linked', accounts: 9, questions: [] });
    second.answer(asks('form'));
    expect(await reply).toEqual({ seq: 2 });
    expect(second.canceled()).toBe(false);
    expect(user.row.steps).toEqual(['select_institution', 'form']);
    expect(user.row.calls.slice(2)).toEqual([
      'beginLogin fake-bank',
      `openBankLogin ${user.sessionId}/1`,
      `takeNextRoute fake-bank after ${FAKE_PROVIDER}`,
      `openBankLogin ${user.sessionId}/1/2`,
      'showPreparedStep form',
    ]);
    await user.handle.cancel();
  });

  it('waits for a silent provider without a limit where no other one is possible', async () => {
    const user = arrive();
    const only = slowBank();
    user.row.bank = [only.behavior];
    await user.open();
    const reply = user.submit(BANK);
    await eventually(() => expect(only.asked()).toBe(true));
    only.answer(asks('form'));
    expect(await reply).toEqual({ seq: 2 });
    expect(only.canceled()).toBe(false);
    await user.handle.cancel();
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
});
