import { readText } from '../http/read-text.js';
import type { Route } from '../http/route.js';
import { acceptLogin } from '../logins/accept-login.js';
import { announceLogin, type LoginAnnouncementParts } from '../logins/announce-login.js';
import type { RefusalReason } from '../customers/login-words.js';
import type { ConnectionStore } from '../customers/connection-store.js';
import type { Login } from '../logins/login-store.js';
import { findMagicUser, refusalOf, signIn } from '../customers/magic-users.js';

export interface SignInRouteParts extends LoginAnnouncementParts {
  connections: Pick<ConnectionStore, 'create' | 'issueAccessToken'>;
  now: () => Date;
  delayFactor: number;
  pause: (milliseconds: number) => Promise<void>;
}

/**
 * A whole login at once, for tests without a person: every question after the password is answered
 * correctly, and every account is shared. Source: link-lifecycle 14, POST /sandbox/link.
 */
export function signInRoute({
  connections,
  now,
  delayFactor,
  pause,
  ...parts
}: SignInRouteParts): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/sign-ins',
    async handle(request) {
      const { login, institution, body } = await announceLogin(parts, request);
      const userName = readText(body, 'user_name', 200);
      const password = readText(body, 'password', 200);
      const reason = refusalFor(login, {
        userName,
        password,
        onPages: institution.login === 'pages',
      });
      if (reason !== null) return { status: 201, body: { status: 'REFUSED', reason } };
      await pause((findMagicUser(userName)?.secondsToSignIn ?? 0) * 1_000 * delayFactor);
      const connectionId = await acceptLogin(
        connections,
        login,
        { userName, accountKeys: null },
        now(),
      );
      return {
        status: 201,
        body: {
          status: 'CONNECTED',
          connection_id: connectionId,
          access_token: await connections.issueAccessToken(connectionId),
        },
      };
    },
  };
}

function refusalFor(
  login: Login,
  { userName, password, onPages }: { userName: string; password: string; onPages: boolean },
): RefusalReason | null {
  const user = signIn(userName, password);
  if (user === null || (onPages && !user.atOAuthBank)) return 'WRONG_PASSWORD';
  return refusalOf(user, login);
}
