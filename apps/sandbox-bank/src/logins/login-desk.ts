import { BankError } from '../http/bank-error.js';
import type { ConnectionStore } from '../customers/connection-store.js';
import type { Login, LoginStore } from './login-store.js';
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

export interface LoginDeskParts {
  logins: Pick<LoginStore, 'find' | 'moveOn'>;
  connections: Pick<ConnectionStore, 'create' | 'issueAccessToken'>;
  /** The clock of worlds that follow real time. */
  now: () => Date;
  /** Real time: codes, approvals and attempts do not wait for a world. */
  clock: () => Date;
  delayFactor: number;
  pause: (milliseconds: number) => Promise<void>;
}

type Shown = Readonly<Record<string, unknown>>;

/** Accepts the answers of a customer who logs in step by step. */
export interface LoginDesk {
  show(login: Login): Promise<Shown>;
  answer(login: Login, step: number, answer: LoginAnswer): Promise<Shown>;
}

export function createLoginDesk({
  logins,
  connections,
  now,
  clock,
  delayFactor,
  pause,
}: LoginDeskParts): LoginDesk {
  const circumstancesOf = (login: Login): LoginCircumstances => ({
    isRelink: login.isRelink,
    now: clock(),
    delayFactor,
  });

  async function show(login: Login): Promise<Shown> {
    const { progress } = login;
    const current = isOver(login)
      ? refused(progress, 'LOGIN_EXPIRED')
      : afterWaiting(progress, circumstancesOf(login));
    if (current === progress) return present(login);
    const moved = await moveOn(login, current);
    // another reader was faster: both see the same end
    return moved ?? present((await logins.find(login.loginId)) ?? login);
  }

  async function answer(login: Login, step: number, given: LoginAnswer): Promise<Shown> {
    const { progress } = login;
    if (step !== progress.step || progress.stage === 'ACCEPTED' || progress.stage === 'REFUSED')
      throw staleStep();
    const next = isOver(login)
      ? refused(progress, 'LOGIN_EXPIRED')
      : afterAnswer(progress, given, circumstancesOf(login));
    if (next === null) throw new BankError('invalid_request', 'This step asks for something else.');
    await pause(secondsToSignIn(progress, next) * 1_000 * delayFactor);
    const moved = await moveOn(login, next);
    if (moved === null) throw staleStep();
    return moved;
  }

  /** Null when the login has moved on already. */
  async function moveOn(login: Login, progress: LoginProgress): Promise<Shown | null> {
    const isAccepted = progress.stage === 'ACCEPTED';
    const connectionId = isAccepted
      ? await acceptLogin(
          connections,
          login,
          { userName: progress.userName ?? '', accountKeys: null },
          now(),
        )
      : null;
    return (await logins.moveOn(login, progress, connectionId))
      ? present({ ...login, progress, connectionId })
      : null;
  }

  async function present(login: Login): Promise<Shown> {
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
    return expiresAt <= clock() && progress.stage !== 'ACCEPTED' && progress.stage !== 'REFUSED';
  }

  return { show, answer };
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
