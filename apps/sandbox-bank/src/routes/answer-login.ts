import { findInstitution } from '../institutions/institutions.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import type { Route } from '../http/route.js';
import type { LoginDesk } from '../logins/login-desk.js';
import { readAnswer } from '../logins/read-answer.js';
import type { Login, LoginStore } from '../logins/login-store.js';
import { isOnPages } from './create-login.js';

export interface LoginStepParts {
  logins: Pick<LoginStore, 'find'>;
  desk: LoginDesk;
}

/** Handles an answer to the step it names. */
export function answerLoginRoute({ logins, desk }: LoginStepParts): Route {
  return {
    method: 'POST',
    path: '/v1/logins/{loginId}/answers',
    async handle(request) {
      const login = await loginOf(request, logins);
      const body = await request.jsonObject();
      const step = body['step'];
      if (typeof step !== 'number')
        throw new BankError('invalid_request', 'step must be the number of a step.');
      return { status: 200, body: await desk.answer(login, step, readAnswer(body)) };
    },
  };
}

/** Returns the state of a login: an approval in the bank's app happens without an answer. */
export function readLoginRoute({ logins, desk }: LoginStepParts): Route {
  return {
    method: 'GET',
    path: '/v1/logins/{loginId}',
    async handle(request) {
      return { status: 200, body: await desk.show(await loginOf(request, logins)) };
    },
  };
}

/** The id itself, 128 random bits known only to its creator, authorizes continuing a login. */
async function loginOf(request: BankRequest, logins: Pick<LoginStore, 'find'>): Promise<Login> {
  const login = await logins.find(request.param('loginId'));
  if (login === null || isOnPages(findInstitution(login.institutionId)))
    throw new BankError('not_found', 'There is no such login.');
  return login;
}
