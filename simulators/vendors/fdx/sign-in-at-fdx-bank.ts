import { TRIAL_PASSWORD } from './trial-values.js';

export interface SignInAtFdxBank {
  userName?: string;
  password?: string;
  decision?: 'allow' | 'deny';
  /** Refuses before signing in. */
  cancelsSignIn?: boolean;
  /** Ids of the accounts to share; all of them by default. */
  accountIds?: readonly string[];
}

const MAX_STEPS = 12;
/** The next request of a visit. */
interface Step {
  url: URL;
  form?: URLSearchParams;
}

/**
 * Follows the bank's pages as a customer does, without a browser: cookies, forms, redirects.
 * @param authorizationUrl the address that the client opens in a browser
 * @returns the address at the client to which the bank redirects; it is not requested
 * @throws Error with the page's text when the bank refuses the customer
 */
export async function signInAtFdxBank(
  authorizationUrl: string | URL,
  {
    cancelsSignIn = false,
    userName = 'trial',
    password = TRIAL_PASSWORD,
    decision = 'allow',
    accountIds,
  }: SignInAtFdxBank = {},
): Promise<URL> {
  const { origin } = new URL(authorizationUrl);
  const cookies = new Map<string, string>();
  let step: Step = { url: new URL(authorizationUrl) };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (step.url.origin !== origin) return step.url;
    const response = await request(step, cookies);
    const location = response.headers.get('location');
    if (location !== null) {
      step = { url: new URL(location, step.url) };
      continue;
    }
    const html = await response.text();
    if (response.status !== 200)
      throw new Error(`The bank shows (${response.status}): ${textOf(html)}`);
    const form = html.includes('name="password"')
      ? new URLSearchParams({
          decision: cancelsSignIn ? 'deny' : 'sign_in',
          user_name: userName,
          password,
        })
      : consentForm(html, decision, accountIds);
    step = { url: new URL(actionOf(html), step.url), form };
  }
  throw new Error('The bank redirects endlessly.');
}

async function request({ url, form }: Step, cookies: Map<string, string>): Promise<Response> {
  const response = await fetch(url, {
    method: form === undefined ? 'GET' : 'POST',
    body: form,
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

function consentForm(
  html: string,
  decision: string,
  accountIds: readonly string[] | undefined,
): URLSearchParams {
  const form = new URLSearchParams({ decision });
  for (const [, id = ''] of html.matchAll(/name="account" value="([^"]+)"/g))
    if (accountIds?.includes(id) ?? true) form.append('account', id);
  return form;
}

function actionOf(html: string): string {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined)
    throw new Error(`The bank shows a page without a form: ${textOf(html)}`);
  return action;
}

const textOf = (html: string): string =>
  html
    .replace(/<style>[^]*?(?:<\/style>|$)|<[^<>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
