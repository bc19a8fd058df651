import type { ConnectSuccess } from '@tributary/connect-react-native';
import { forgetSession, keepSession, keptSession } from './session';

export interface LinkedBank {
  link: { link_id: string; institution_name: string; state: string; error_code: string | null };
  accounts: {
    account_id: string;
    name: string;
    account_mask: string | null;
    balances: { currency: string; current: number | null };
  }[];
}

/** `examples/connect-web/sample-app.mjs`, which both examples share. */
const BACK_END = process.env.EXPO_PUBLIC_BACK_END_URL ?? 'http://127.0.0.1:4300';

export function ask(method: 'GET', path: '/api/links'): Promise<LinkedBank[]>;
export function ask(
  method: 'POST',
  path: '/api/session',
  body: { redirectUri: string; linkId: string | undefined },
): Promise<{ linkSessionToken: string }>;
export function ask(
  method: 'POST' | 'DELETE',
  path: `/api/links${string}` | '/api/repairs',
  body?: object,
): Promise<object>;
export async function ask(method: string, path: string, body?: object): Promise<unknown> {
  let response = await send(method, path, body, (await keptSession()) ?? (await signIn()));
  // The sample back end keeps its users in memory, and was started again.
  if (response.status === 401) {
    await forgetSession();
    response = await send(method, path, body, await signIn());
  }
  return read(response);
}

/**
 * A new link is exchanged, and so is a repair that waits for its confirmation, as after the app was killed; any other
 * repair is done. Fails when it is not the result of this user.
 */
export function acceptResult(success: ConnectSuccess): Promise<object> {
  if (success.mode === 'link')
    return ask('POST', '/api/links', { exchangeableToken: success.exchangeable_token });
  return success.confirmation_token === undefined
    ? ask('POST', '/api/repairs', { existingLinkId: success.existing_link_id })
    : ask('POST', '/api/links', { exchangeableToken: success.confirmation_token });
}

/** Every phone is a user of its own; your app has its sign-in here. */
async function signIn(): Promise<string> {
  const { session } = (await read(await send('POST', '/api/sign-in', {}))) as { session: string };
  await keepSession(session);
  return session;
}

function send(method: string, path: string, body?: object, session?: string): Promise<Response> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return fetch(BACK_END + path, {
    method,
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
    },
    body: json,
  });
}

async function read(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The back end answered ${response.status}.`);
  return answer;
}
