import type { Request, Response } from 'express';
import { ENVIRONMENTS, type Environment, type Tenant } from '../../../../domain/api/environment.js';
import { recordWork } from '../../../operator/src/recorded-command.js';
import type { Service } from '../../../operator/src/service.js';
import { admit } from '../access/access.js';
import { ConsoleFailure, notFound } from '../access/console-failure.js';
import type { ConsoleSessionRecord } from '../../../../prisma/operations/console/console-session.repository.js';
import { sendJson } from '../listener/send-json.js';
import { findAllowedCall } from './allowed-calls.js';
import type { ConsoleTokens } from './console-tokens.js';
import { withoutQueries } from './without-queries.js';

const WITHIN_MS = 35_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export interface ForwardingParts {
  service: Service;
  tokens: ConsoleTokens;
  apiUrl: string;
  now: () => Date;
}

/** Forwards a call below `/api/as/:app/:env` to the public API, as the app's key pair "Console". */
export async function forward(
  parts: ForwardingParts,
  session: ConsoleSessionRecord,
  request: Request,
  response: Response,
): Promise<void> {
  const { app = '', env = '' } = request.params as Record<string, string>;
  const environment = ENVIRONMENTS.find((known) => known === env);
  const path = request.path.slice(`/as/${encodeURIComponent(app)}/${env}`.length);
  const found = findAllowedCall(request.method, path);
  if (environment === undefined || found === null) throw notFound();
  const { allowed, ids } = found;
  const isSandbox = environment === 'sandbox';
  if (allowed.sandboxOnly === true && !isSandbox) throw notFound();
  const { actor } = admit(
    session,
    { roles: ['operator', 'app'], level: allowed.level, appId: app, isSandbox },
    parts.now(),
  );
  checkBody(allowed.call, environment, request.body);
  if (allowed.isConfirmed === true && !isSandbox && request.get('console-confirm') !== ids[0])
    throw new ConsoleFailure(422, 'console.not_confirmed', 'Type the whole id to confirm.');
  const tenant = { appId: app, environment };
  const call = async (): Promise<Answer> => readAnswer(await callApi(parts, tenant, request, path));
  if (allowed.recorded === undefined) return send(await call(), request, response);
  const subject = [...ids, `--app ${app}`, `--environment ${environment}`].join(' ');
  let answer: Answer | undefined;
  await recordWork(
    parts.service,
    { actor, action: allowed.recorded, subject },
    {
      shell: {},
      work: async () => {
        answer = await call();
        if (answer.status >= 400) throw new Refused();
      },
    },
  ).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
  // After the record, so that who reads it next finds the outcome.
  if (answer !== undefined) send(answer, request, response);
}

/** The API refused the call, and its answer says why. */
class Refused extends Error {}

/** In Live a session may only repair a link: new links begin in the app. */
function checkBody(call: string, environment: Environment, body: unknown): void {
  if (call !== 'POST /link-session' || environment === 'sandbox') return;
  const { existing_link_id: link } = (body ?? {}) as { existing_link_id?: unknown };
  if (typeof link !== 'string')
    throw new ConsoleFailure(
      422,
      'console.repair_only',
      'In Live the console repairs links alone.',
      [{ field: 'existing_link_id', message: 'Required in Live.' }],
    );
}

async function callApi(
  parts: ForwardingParts,
  tenant: Tenant,
  request: Request,
  path: string,
): Promise<globalThis.Response> {
  const send = async (): Promise<globalThis.Response> => {
    const token = await parts.tokens.of(tenant);
    if (token === null) throw notFound();
    const [, query = ''] = request.originalUrl.split('?');
    const hasBody = request.method !== 'GET' && request.method !== 'DELETE';
    return fetch(`${parts.apiUrl}${path}${query === '' ? '' : `?${query}`}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(request.body ?? {}) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    }).catch((error: unknown) => {
      throw new ConsoleFailure(
        503,
        'console.api_unreachable',
        `The API at ${parts.apiUrl} does not respond: start it, or correct CONSOLE_API_URL.`,
        [],
        { cause: error },
      );
    });
  };
  const first = await send();
  if (first.status !== 401) return first;
  // An operator may have disabled the pair, or its token ended with a restored database.
  parts.tokens.drop(tenant);
  await first.body?.cancel();
  const second = await send();
  if (second.status !== 401) return second;
  await second.body?.cancel();
  throw new ConsoleFailure(
    409,
    'console.pair_disabled',
    'The key pair "Console" of this app is disabled, or may not make this call: enable it under Keys.',
  );
}

interface Answer {
  status: number;
  retryAfter: string | null;
  text: string;
}

async function readAnswer(answer: globalThis.Response): Promise<Answer> {
  const { status, headers } = answer;
  return { status, retryAfter: headers.get('retry-after'), text: await readText(answer) };
}

function send({ status, retryAfter, text }: Answer, request: Request, response: Response): void {
  if (retryAfter !== null) response.setHeader('retry-after', retryAfter);
  response.status(status);
  if (status === 204) response.end();
  else sendJson(request, response, withoutQueries(text));
}

async function readText(answer: globalThis.Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new ConsoleFailure(503, 'console.too_large', 'The answer of the API is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
