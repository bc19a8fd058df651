import type Provider from 'oidc-provider';
import { serveOAuth } from '../../authorization/authorization-server.js';
import { serveSignIn } from '../../authorization/sign-in-desk.js';
import { html } from '../../http/html.js';
import { Refusal } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';
import type { Handler, Routes } from '../../http/routes.js';
import type { Bank } from '../bank.js';
import { MAGIC_USERS, PASSWORD } from '../customers/magic-users.js';
import { refusalFor } from '../http/bank-error.js';
import { bankPage, PAGE_HEADERS, STYLE_SHEET_PATH } from '../pages/bank-page.js';
import { problemPage, unavailablePage } from '../pages/problem-page.js';
import { STYLE_SHEET } from '../pages/style-sheet.js';
import { createSignInDesk } from './sign-in-desk.js';

/**
 * The paths of the authorization server, each in one spelling: its router ignores case and a slash at
 * the end.
 */
const OAUTH_PATHS = [
  '/.well-known/openid-configuration',
  '/oauth/authorize',
  '/oauth/authorize/{uid}',
  '/oauth/jwks',
  '/oauth/register',
  '/oauth/token',
];

/**
 * All addresses of browsers and OAuth clients.
 * @param authorizationServer null until the database is ready
 */
export function pageRoutes(bank: Bank, authorizationServer: () => Provider | null): Routes {
  const desk = createSignInDesk(bank);
  const whenReady =
    (serve: (server: Provider, request: SimulatorRequest) => ReturnType<Handler>): Handler =>
    async (request) => {
      const server = authorizationServer();
      return server === null ? unavailablePage() : serve(server, request);
    };
  return withErrorPages({
    [`* ${STYLE_SHEET_PATH}`]: () => ({
      status: 200,
      text: STYLE_SHEET,
      contentType: 'text/css; charset=utf-8',
      headers: PAGE_HEADERS,
    }),
    '* /help/{institutionId}': helpPage,
    '* /sign-in/{uid}': whenReady((server, request) => serveSignIn(server, request, desk)),
    ...Object.fromEntries(OAUTH_PATHS.map((path) => [`* ${path}`, whenReady(serveOAuth)])),
  });
}

const withErrorPages = (routes: Routes): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([name, handle]): [string, Handler] => [
      name,
      async (request) => {
        try {
          return await handle(request);
        } catch (error) {
          const { status } = refusalFor(error).reply;
          const page = status < 500 ? problemPage(status) : unavailablePage();
          throw new Refusal(page, 'A page failed.', { cause: error });
        }
      },
    ]),
  );

/** The target of the help and reset links of the sandbox banks. */
const helpPage = () =>
  bankPage(
    'Help with signing in',
    html`<h1>Help with signing in</h1>
<p>The banks of the sandbox are not real. The password is ${PASSWORD} for everyone.</p>
<p>These users exist, and slow_1 to slow_60. Each one shows a different course of a login:</p>
<ul>${Object.keys(MAGIC_USERS).map((name) => html`<li>${name}</li>`)}</ul>
<p>The code is always 123456; the answers are blue and rex.</p>`,
  );
