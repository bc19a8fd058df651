import type { Bank } from '../bank.js';
import { BankError } from '../http/bank-error.js';
import type { Login } from './login-store.js';
import { findMagicUser } from '../customers/magic-users.js';
import { acceptLogin } from './accept-login.js';
import {
  afterAnswer,
  afterWaiting,
  refused,
  type LoginAnswer,
  type LoginCircumstances,
  type LoginProgress,
} from './login-progress.js';
import { showLogin } from './show-login.js';

type Shown = Readonly<Record<string, unknown>>;

/** The current state of a login: a customer who logs in step by step may have approved, or be too late. */
export async function currentLogin(bank: Bank, login: Login): Promise<Shown> {
  const { progress } = login;
  const current = isOver(login)
    ? refused(progress, 'LOGIN_EXPIRED')
    : afterWaiting(progress, circumstancesOf(bank, login));
  if (current === progress) return present(bank, login);
  const moved = await moveOn(bank, login, current);
  // another reader was first: both see the same end
  return moved ?? present(bank, (await bank.logins.find(login.loginId)) ?? login);
}

/** Accepts the answer to a step. */
export async function answerLogin(
  bank: Bank,
  login: Login,
  step: number,
  given: LoginAnswer,
): Promise<Shown> {
  const { progress } = login;
  if (step !== progress.step || hasEnded(progress)) throw staleStep();
  const next = isOver(login)
    ? refused(progress, 'LOGIN_EXPIRED')
    : afterAnswer(progress, given, circumstancesOf(bank, login));
  if (next === null)
    throw new BankError('invalid_request', 'This step expects another kind of answer.');
  await bank.pause(secondsToSignIn(progress, next));
  const moved = await moveOn(bank, login, next);
  if (moved === null) throw staleStep();
  return moved;
}

function circumstancesOf({ delayFactor }: Bank, { isRelink }: Login): LoginCircumstances {
  // Real time: codes, approvals and attempts do not follow a world.
  return { isRelink, now: new Date(), delayFactor };
}

/** Null when the login has already left the step. */
async function moveOn(bank: Bank, login: Login, progress: LoginProgress): Promise<Shown | null> {
  const accepted = { userName: progress.userName ?? '', accountKeys: null };
  const connectionId =
    progress.stage === 'ACCEPTED' ? await acceptLogin(bank, login, accepted) : null;
  return (await bank.logins.moveOn(login, progress, connectionId))
    ? present(bank, { ...login, progress, connectionId })
    : null;
}

async function present({ connections, delayFactor }: Bank, login: Login): Promise<Shown> {
  const { loginId, connectionId } = login;
  if (connectionId === null) return showLogin(login, { delayFactor });
  return {
    login_id: loginId,
    status: 'CONNECTED',
    connection_id: connectionId,
    access_token: await connections.issueAccessToken(connectionId),
  };
}

function isOver({ expiresAt, progress }: Login): boolean {
  return expiresAt <= new Date() && !hasEnded(progress);
}

function hasEnded({ stage }: LoginProgress): boolean {
  return stage === 'ACCEPTED' || stage === 'REFUSED';
}

/** A slow customer is slow once, when the password was right. */
function secondsToSignIn(before: LoginProgress, after: LoginProgress): number {
  const passed =
    before.stage === 'PASSWORD' && after.stage !== 'PASSWORD' && after.stage !== 'REFUSED';
  return passed ? (findMagicUser(after.userName ?? '')?.secondsToSignIn ?? 0) : 0;
}

function staleStep(): BankError {
  return new BankError('stale_step', 'The login is at another step.');
}
