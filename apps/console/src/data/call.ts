import { failureOf, noAnswer } from './call-failed.js';
import { parseJson } from './parse-json.js';
import { waitForRecentSignIn } from './recent-sign-in.js';
import { sessionHalf } from './session-half.js';
import { Signal } from './signal.js';

/** The number of calls that found no session: each change leads to the sign-in. */
export const lostSessions = new Signal(0);

const SESSION_HEADER = 'console-session';
/** A sign-in that fails is none that was lost. */
const SIGN_IN = /^\/session\/(code|oidc|options)/;
const RECENT = 'console.recent_sign_in_needed';

interface Kept {
  etag: string | null;
  text: string;
  answer: unknown;
}

/** The newest answer of each address, so that a poll without news changes nothing on the page. */
const kept = new Map<string, Kept>();

export const forgetAnswers = (): void => kept.clear();

/** Reads an address below /api. @throws CallFailed */
export async function read<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const previous = kept.get(path);
  const response = await send('GET', path, {
    headers: previous?.etag == null ? {} : { 'if-none-match': previous.etag },
    signal,
  });
  if (response.status === 304 && previous !== undefined) return previous.answer as Answer;
  const text = await textOf(response);
  if (previous?.text === text) return previous.answer as Answer;
  const answer = parseJson(text);
  kept.set(path, { etag: response.headers.get('etag'), text, answer });
  return answer as Answer;
}

export interface Change {
  method: 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a change. The answer may hold a secret, so it is not kept. @throws CallFailed */
export async function change<Answer = unknown>({
  method,
  path,
  body,
  headers = {},
}: Change): Promise<Answer> {
  for (;;) {
    try {
      const response = await send(method, path, {
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await textOf(response);
      return (text === '' ? undefined : parseJson(text)) as Answer;
    } catch (error) {
      if ((error as { code?: string }).code !== RECENT) throw error;
      await waitForRecentSignIn(error as Error);
    }
  }
}

/** @throws CallFailed for every status but 2xx and 304 */
async function send(
  method: string,
  path: string,
  {
    headers,
    body,
    signal,
  }: { headers?: Record<string, string>; body?: string; signal?: AbortSignal | undefined },
): Promise<Response> {
  const half = sessionHalf.read();
  const response = await fetch(`/api${path}`, {
    method,
    headers: { accept: 'application/json', ...headers, ...(half && { [SESSION_HEADER]: half }) },
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw noAnswer();
  });
  if (response.ok || response.status === 304) return response;
  if (response.status === 401 && !SIGN_IN.test(path)) lostSessions.set(lostSessions.get() + 1);
  throw failureOf(response.status, await bodyOf(response));
}

const textOf = (response: Response): Promise<string> =>
  response.text().catch(() => {
    throw noAnswer();
  });

/** A proxy in front of the console answers with pages of its own. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}
