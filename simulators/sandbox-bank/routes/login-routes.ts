import { z } from 'zod';
import type { Bank } from '../bank.js';
import { findMagicUser, refusalOf, signIn } from '../customers/magic-users.js';
import type { RefusalReason } from '../customers/login-words.js';
import { BankError } from '../http/bank-error.js';
import { readBody } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Routes } from '../../http/routes.js';
import { findInstitution } from '../institutions/institutions.js';
import { acceptLogin } from '../logins/accept-login.js';
import { announceLogin, LoginForm } from '../logins/announce-login.js';
import { answerLogin, currentLogin } from '../logins/login-desk.js';
import type { Login } from '../logins/login-store.js';
import { storableText } from '../storage/value-forms.js';

const MAX_ANSWERS = 10;
const answer = storableText(200);

/** An answer to the step that it names. */
const AnswerForm = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('PASSWORD'), user_name: answer, password: answer })
      .transform(({ user_name: userName, ...given }) => ({ ...given, userName })),
    z.object({ kind: z.literal('DEVICE'), device: answer }),
    z.object({ kind: z.literal('CODE'), code: answer }),
    z.object({ kind: z.literal('RESEND') }),
    z.object({
      kind: z.literal('QUESTIONS'),
      answers: z
        .record(z.string(), answer)
        .refine((answers) => Object.keys(answers).length <= MAX_ANSWERS),
    }),
    z.object({ kind: z.literal('PICTURE'), text: answer }),
  ])
  .and(z.object({ step: z.number() }));
const SignInForm = LoginForm.extend({ user_name: answer, password: answer });

/** Logins of customers at the banks that have one. */
export function loginRoutes(bank: Bank): Routes {
  return {
    'POST /v1/institutions/{institutionId}/logins': async (request) => {
      const { login, institution } = await announceLogin(bank, request, LoginForm);
      return {
        status: 201,
        json:
          institution.login === 'pages'
            ? { login_id: login.loginId, status: 'ON_PAGES' }
            : await currentLogin(bank, login),
      };
    },
    'GET /v1/logins/{loginId}': async (request) => ({
      status: 200,
      json: await currentLogin(bank, await loginOf(request, bank)),
    }),
    'POST /v1/logins/{loginId}/answers': async (request) => {
      const login = await loginOf(request, bank);
      const { step, ...given } = await readBody(request, AnswerForm);
      return { status: 200, json: await answerLogin(bank, login, step, given) };
    },
    // A whole login at once, for tests without a person: every question after the password is
    // answered correctly, and every account is shared. Source: link-lifecycle 14, POST /sandbox/link.
    'POST /v1/institutions/{institutionId}/sign-ins': async (request) => {
      const { login, institution, body } = await announceLogin(bank, request, SignInForm);
      const { user_name: userName, password } = body;
      const reason = refusalFor(login, {
        userName,
        password,
        onPages: institution.login === 'pages',
      });
      if (reason !== null) return { status: 201, json: { status: 'REFUSED', reason } };
      await bank.pause(findMagicUser(userName)?.secondsToSignIn ?? 0);
      const connectionId = await acceptLogin(bank, login, { userName, accountKeys: null });
      return {
        status: 201,
        json: {
          status: 'CONNECTED',
          connection_id: connectionId,
          access_token: await bank.connections.issueAccessToken(connectionId),
        },
      };
    },
  };
}

/**
 * The login in the URL. Its id, 128 random bits known only to its creator, authorizes continuing it.
 * A browser knows a login on pages by its id, so there the id permits reading and changing nothing.
 */
async function loginOf(request: SimulatorRequest, { logins }: Bank): Promise<Login> {
  const login = await logins.find(request.param('loginId'));
  if (login === null || findInstitution(login.institutionId)?.login === 'pages')
    throw new BankError('not_found', 'Login not found.');
  return login;
}

function refusalFor(
  login: Login,
  { userName, password, onPages }: { userName: string; password: string; onPages: boolean },
): RefusalReason | null {
  const user = signIn(userName, password);
  if (user === null || (onPages && !user.atOAuthBank)) return 'WRONG_PASSWORD';
  return refusalOf(user, login);
}
