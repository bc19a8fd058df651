import { endedSignal, exchangedSignal } from '../../../../workflows/session/session.contract.js';
import { BANK } from '../../support/bank-behaviors.js';
import type { BankBehavior, FakeSession } from '../../support/fake-session.js';
import type { SessionStage } from '../../support/session-stage.js';
import type { SessionUser } from '../../support/session-user.js';

export const CANCEL = { kind: 'redirect', cancel: true } as const;
export const startRedirect = (way: string) => ({ kind: 'redirect_start', way }) as const;
export const returnFromBank = (way: string) => ({ kind: 'redirect_return', way }) as const;
export const linked: BankBehavior = () => ({ kind: 'linked', accounts: 2, questions: [] });

/** A user who was offered the redirect to the bank. */
export async function userAtRedirect(
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

export async function expectExchange(user: SessionUser): Promise<void> {
  await user.handle.signal(exchangedSignal);
  expect(await user.result()).toEqual({ outcome: 'exchanged' });
}

export async function endSession(user: SessionUser): Promise<void> {
  await user.handle.signal(endedSignal);
  await user.result();
}
