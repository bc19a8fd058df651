import { eventually } from '../../support/assertions/eventually.js';
import { BANK, failing, lost, slowBank } from '../support/bank-behaviors.js';
import { rejectionOf, SessionUser, SOFT_REPLY_MS } from '../support/session-user.js';
import {
  describeSessions,
  MAX_EVENTS_OF_A_LINK,
  type SessionStage,
} from '../support/session-stage.js';
import { historyText, timersFired } from '../../support/services/test-temporal.js';
import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import type { BankBehavior, FakeSession } from '../support/fake-session.js';

const CANCEL = { kind: 'redirect', cancel: true } as const;
const startRedirect = (redirectId: string) => ({ kind: 'redirect_start', redirectId }) as const;
const returnFromBank = (redirectId: string) => ({ kind: 'redirect_return', redirectId }) as const;
const linked: BankBehavior = () => ({ kind: 'linked', accounts: 2, questions: [] });

/** A user who was offered the redirect to the bank. */
async function userAtRedirect(
  { arrive }: SessionStage,
  {
    softReplyMs,
    bank = [linked],
    with: more = {},
  }: {
    softReplyMs?: number;
    bank?: BankBehavior[];
    with?: Partial<FakeSession>;
  } = {},
): Promise<SessionUser> {
  const user = arrive(softReplyMs);
  Object.assign(user.row, { redirects: true, bank, ...more });
  await user.open();
  if (user.row.presetInstitutionId === null) await user.submit(BANK);
  return user;
}

async function expectExchange(user: SessionUser): Promise<void> {
  await user.handle.signal(exchangedSignal);
  expect(await user.result()).toEqual({ outcome: 'exchanged' });
}

async function endSession(user: SessionUser): Promise<void> {
  await user.handle.signal(endedSignal);
  await user.result();
}

describeSessions('linkSession at a bank with its own pages', 'link-session', (stage) => {
  const { arrive, record } = stage;

  it('starts the login when the user leaves for the bank, and redeems when a window brings the return', async () => {
    const user = await userAtRedirect(stage);
    expect(user.row.steps).toEqual(['select_institution', 'redirect']);
    expect(user.row.count('beginRedirectLogin')).toBe(0);
    expect(await user.submit(startRedirect('way-1'))).toEqual({ seq: 3 });
    expect(user.row.shown.at(-1)).toEqual({ seq: 3, step: 'redirect started', accepted: true });
    expect(user.row.count('completeBankRedirect')).toBe(0);
    expect(await user.submit(returnFromBank('way-1'))).toEqual({ seq: 4 });
    expect(user.row.calls).toEqual([
      'loadSession',
      'showStep select_institution',
      'beginLogin fake-bank',
      'showPreparedStep redirect',
      'beginRedirectLogin fake-bank',
      'startBankRedirect way-1',
      'showStartedRedirect way-1',
      'completeBankRedirect way-1',
      'finishLinking',
    ]);
    expect((await user.handle.describe()).searchAttributes).toMatchObject({
      LinkId: [`mk_${user.sessionId}`],
      InstitutionId: ['fake-bank'],
      LinkState: ['awaiting_token_exchange'],
    });
    await expectExchange(user);
    expect((await user.handle.describe()).historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
    await record(user, 'redirect-approved');
  });

  it.each([
    ['user_denied', 'connect_error.oauth_denied'],
    ['institution_down', 'connect_error.institution_down'],
  ] as const)(
    'continues after a refusal at the bank with the error of the contract: %s',
    async (cause, shown) => {
      const user = await userAtRedirect(stage, { bank: [failing(cause), linked] });
      await user.submit(startRedirect('way-1'));
      await user.submit(returnFromBank('way-1'));
      expect(await user.submit({ kind: 'error', action: 'retry' })).toEqual({ seq: user.row.seq });
      await user.submit(startRedirect('way-2'));
      await user.submit(returnFromBank('way-2'));
      expect(user.row.steps).toEqual([
        'select_institution',
        'redirect',
        'redirect started',
        shown,
        'redirect',
        'redirect started',
        'success',
      ]);
      expect(await historyText(user.handle)).not.toContain('canary-remote-text');
      await expectExchange(user);
    },
  );

  it('is offered through another provider, once, when the redirect cannot be started', async () => {
    const user = await userAtRedirect(stage, {
      with: { hasAnotherRoute: true, opening: failing('provider_down') },
    });
    expect(await user.submit(startRedirect('way-1'))).toEqual({ seq: 3 });
    user.row.opening = failing('provider_down');
    await user.submit(startRedirect('way-2'));
    expect(await user.submit({ kind: 'error', action: 'retry' })).toEqual({ seq: 5 });
    await user.submit(startRedirect('way-3'));
    // The user may have been at the bank by now.
    user.row.opening = failing('provider_down');
    await user.submit(startRedirect('way-4'));
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'redirect',
      'connect_error.provider_down',
      'redirect',
      'redirect started',
      'connect_error.provider_down',
    ]);
    expect(user.row.count('takeNextRoute')).toBe(1);
    await endSession(user);
  });

  it('starts the redirect again as often as the user wants, and discards it on cancel', async () => {
    const user = await userAtRedirect(stage);
    await user.submit(startRedirect('way-1'));
    await user.submit(startRedirect('way-2'));
    expect(await user.submit(CANCEL)).toEqual({ seq: 5 });
    await user.submit(startRedirect('way-3'));
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'redirect started',
      'redirect started',
      'redirect',
      'redirect started',
    ]);
    expect(await rejectionOf(user.submit(returnFromBank('way-1'), { seq: 3 }))).toBe('StaleStep');
    await user.submit(returnFromBank('way-3'));
    expect(user.row.steps.at(-1)).toBe('success');
    await expectExchange(user);
  });

  it('shows the timeout when the user does not return', async () => {
    const user = await userAtRedirect(stage, { with: { redirectMs: 300 } });
    await user.submit(startRedirect('way-1'));
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('connect_error.timeout');
    });
    expect(user.row.count('failLogin institution_timeout')).toBe(1);
    await endSession(user);
  });

  it('stops the timer of the redirect with the cancel', async () => {
    const user = await userAtRedirect(stage, { with: { redirectMs: 15_000 } });
    await user.submit(startRedirect('way-1'));
    await user.submit(CANCEL);
    user.row.redirectMs = 60_000;
    await user.submit(startRedirect('way-2'));
    // The time of the first redirect expires, without any effect.
    await eventually(async () => {
      expect(await timersFired(user.handle)).toBe(1);
    });
    expect(user.row.steps.at(-1)).toBe('redirect started');
    expect(await user.submit(returnFromBank('way-2'))).toEqual({ seq: 6 });
    await expectExchange(user);
  });

  it('redeems a return once, however often it is sent', async () => {
    const user = await userAtRedirect(stage);
    await user.submit(startRedirect('way-1'));
    const seq = user.row.seq;
    const answers = await Promise.all(
      [1, 2, 3].map(() => user.submit(returnFromBank('way-1'), { seq, requestId: 'return-way-1' })),
    );
    expect(answers).toEqual([{ seq: 4 }, { seq: 4 }, { seq: 4 }]);
    expect(user.row.count('completeBankRedirect')).toBe(1);
    await expectExchange(user);
  });

  it('waits for a slow bank behind a wait step, from which the user may go back', async () => {
    const slow = slowBank();
    const user = await userAtRedirect(stage, {
      softReplyMs: SOFT_REPLY_MS,
      bank: [slow.behavior, linked],
    });
    await user.submit(startRedirect('way-1'));
    expect(await user.submit(returnFromBank('way-1'))).toEqual({ seq: 4 });
    expect(user.row.steps.at(-1)).toBe('wait');
    await user.submit({ kind: 'wait', cancel: true });
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('redirect');
    });
    expect(slow.canceled()).toBe(true);
    await user.submit(startRedirect('way-2'));
    await user.submit(returnFromBank('way-2'));
    await eventually(() => {
      expect(user.row.steps.at(-1)).toBe('success');
    });
    await expectExchange(user);
  });

  it('never redeems twice a return that was lost halfway, but restarts a lost redirect where that is harmless', async () => {
    const user = await userAtRedirect(stage, {
      bank: [lost, linked],
      with: { mayRepeat: true, opening: lost },
    });
    expect(await user.submit(startRedirect('way-1'))).toEqual({ seq: 3 });
    expect(user.row.count('startBankRedirect way-1')).toBe(2);
    await user.submit(returnFromBank('way-1'));
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'redirect started',
      'redirect !interrupted',
    ]);
    expect(user.row.count('completeBankRedirect')).toBe(1);
    await user.submit(startRedirect('way-2'));
    await user.submit(returnFromBank('way-2'));
    expect(user.row.steps.at(-1)).toBe('success');
    await expectExchange(user);
  });

  it('shows the reason why the bank has no redirect to offer', async () => {
    const user = await userAtRedirect(stage, { with: { opening: failing('institution_down') } });
    await user.submit(startRedirect('way-1'));
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'connect_error.institution_down',
    ]);
    await endSession(user);
  });

  it('returns to the choice of a bank, and exits, from both forms of the step', async () => {
    const user = await userAtRedirect(stage);
    await user.submit({ kind: 'back' });
    await user.submit(BANK);
    await user.submit(startRedirect('way-1'));
    await user.submit({ kind: 'back' });
    await user.submit(BANK);
    await user.submit(startRedirect('way-2'));
    await user.exit();
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'select_institution',
      'redirect',
      'redirect started',
      'select_institution',
      'redirect',
      'redirect started',
      'select_institution',
    ]);
    expect(user.row.count('exitAttempt')).toBe(1);
    await endSession(user);
  });

  it('offers the redirect at once when the session is for one bank', async () => {
    const user = await userAtRedirect(stage, { with: { presetInstitutionId: 'only-bank' } });
    expect(user.row.steps).toEqual(['redirect']);
    await user.submit(startRedirect('way-1'));
    await user.exit();
    expect(await user.open()).toEqual({ seq: 4 });
    expect(user.row.steps).toEqual(['redirect', 'redirect started', 'wait', 'redirect']);
    await user.submit(startRedirect('way-2'));
    await user.submit(returnFromBank('way-2'));
    await expectExchange(user);
  });

  it('asks the remaining questions after the return', async () => {
    const user = await userAtRedirect(stage, {
      with: { questions: ['consent', 'select_accounts'] },
    });
    await user.submit(startRedirect('way-1'));
    await user.submit(returnFromBank('way-1'));
    await user.submit({ kind: 'consent', granted: ['accounts', 'transactions'] });
    await user.submit({ kind: 'select_accounts', refs: ['account-1'] });
    expect(user.row.steps).toEqual([
      'select_institution',
      'redirect',
      'redirect started',
      'consent',
      'select_accounts <',
      'success',
    ]);
    await expectExchange(user);
    expect((await user.handle.describe()).historyLength).toBeLessThan(MAX_EVENTS_OF_A_LINK);
  });

  it('repairs a link in the same way, and leaves it unchanged when the user denies', async () => {
    const user = arrive(undefined, 'relink');
    Object.assign(user.row, {
      redirects: true,
      presetInstitutionId: 'its-bank',
      bank: [failing('user_denied'), linked],
    });
    await user.open();
    await user.submit(startRedirect('way-1'));
    await user.submit(returnFromBank('way-1'));
    await user.submit({ kind: 'error', action: 'retry' });
    await user.submit(startRedirect('way-2'));
    await user.submit(returnFromBank('way-2'));
    expect(user.row.steps).toEqual([
      'redirect',
      'redirect started',
      'connect_error.oauth_denied',
      'redirect',
      'redirect started',
      'success',
    ]);
    expect(await user.result()).toEqual({ outcome: 'succeeded' });
  });

  describe('when its history was lost', () => {
    const lose = (user: SessionUser) => user.handle.terminate('the history is gone');

    it('continues with the return, and with the remaining time', async () => {
      const user = await userAtRedirect(stage);
      await user.submit(startRedirect('way-1'));
      await lose(user);
      expect(await user.submit(returnFromBank('way-1'))).toEqual({ seq: 4 });
      expect(user.row.steps.at(-1)).toBe('success');
      await expectExchange(user);

      const late = await userAtRedirect(stage);
      await late.submit(startRedirect('way-1'));
      await lose(late);
      late.row.stepExpiresAt = Date.now() + 300;
      expect(await late.open()).toEqual({ seq: 3 });
      await eventually(() => {
        expect(late.row.steps.at(-1)).toBe('connect_error.timeout');
      });
      await endSession(late);
    });

    it('shows the redirect again when the return was in progress', async () => {
      const slow = slowBank();
      const user = await userAtRedirect(stage, {
        softReplyMs: SOFT_REPLY_MS,
        bank: [slow.behavior, linked],
      });
      await user.submit(startRedirect('way-1'));
      await user.submit(returnFromBank('way-1'));
      await lose(user);
      await user.open();
      expect(user.row.steps).toEqual([
        'select_institution',
        'redirect',
        'redirect started',
        'wait',
        'redirect !interrupted',
      ]);
      await endSession(user);
    });
  });
});
