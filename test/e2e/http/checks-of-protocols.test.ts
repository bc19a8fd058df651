import { CHECKS, type CheckOf } from '../../../apps/api/src/http/order-of-checks.js';
import type { ProtocolName } from '../../../apps/api/src/http/protocol.js';
import { AppUseRepository } from '../../../prisma/tenants/usage/app-use.repository.js';
import { plaidServiceOfFile } from '../../support/fixtures/plaid-service.js';
import { sendExactly, type ExactAnswer } from '../../support/actors/other-spellings.js';
import { newKeyPair } from '../../support/fixtures/key-pair.js';
import {
  clientId,
  clientSecret,
  openSession,
  tenant,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { createToken, FinanceApp } from '../simplefin/support/finance-app.js';

const plaid = plaidServiceOfFile({
  RATE_LIMIT_API: '2/s:200',
  RATE_LIMIT_CONNECT: '5/s:30',
  RATE_LIMIT_COMPAT: 'on',
});

interface Sent {
  headers?: Record<string, string>;
  body?: string;
  /** Sent to a process whose limits other rows do not use up, until they are used up. */
  untilLimited?: true;
}
/** The first mistake of a request, with every later one that it can have, and the status and text of its refusal. */
type Mistakes<P extends ProtocolName> = Record<CheckOf<P>, [Sent, number, string]>;

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);
const CHUNKED = { 'transfer-encoding': 'chunked' };
const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };
const badVersion = { 'service-version': 'x' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

let another: Awaited<ReturnType<ApiInProcess['another']>>;
beforeAll(async () => {
  another = await plaid.api.another();
});
afterAll(() => another?.close());

async function send(
  [method, path]: readonly [string, string],
  [{ untilLimited, ...sent }, , expected]: Mistakes<ProtocolName>[CheckOf<ProtocolName>],
): Promise<ExactAnswer> {
  const at = untilLimited === true ? another.api.baseUrl : plaid.api.api.baseUrl;
  const once = () => sendExactly(at, { method, path, ...sent });
  if (untilLimited !== true) return once();
  for (let sending = 0; sending < 1_000; sending += 1) {
    const answer = await once();
    if (answer.body.includes(expected)) return answer;
  }
  throw new Error(`${path} was never refused: ${expected}`);
}

/** Each row of the table in its order; a check without a mistake does not compile. */
function describeOrder<P extends ProtocolName>(
  protocol: P,
  call: readonly [string, string],
  mistakesOf: () => Promise<Mistakes<P>>,
): void {
  describe(`A request of the protocol ${protocol} with several mistakes`, () => {
    let mistakes: Mistakes<P>;
    beforeAll(async () => {
      mistakes = await mistakesOf();
    });
    it.each(CHECKS[protocol] as readonly CheckOf<P>[])(
      'is refused for the first of them: %s',
      async (check) => {
        const [, status, text] = mistakes[check];
        const answer = await send(call, mistakes[check]);
        expect({ status: answer.status, body: answer.body }).toEqual({
          status,
          body: expect.stringContaining(text),
        });
      },
    );
  });
}

describeOrder('native', ['POST', '/sandbox/link'], async () => {
  const { api } = plaid;
  const unknown = bearer('unknown');
  const narrow = bearer(await api.token('rival', 'live', 'users:read'));
  const live = bearer(await api.token('rival', 'live'));
  const usedUp = bearer(await api.token('pocket-ledger'));
  const right = bearer(await api.token('rival'));
  await new AppUseRepository(api.ctx).setLimit(tenant('pocket-ledger'), 'sandbox_calls', 0);
  const large = { ...CHUNKED, ...json, ...badVersion };
  return {
    'declared size': [
      { headers: { ...unknown, ...plain, ...badVersion }, body: TOO_LARGE },
      413,
      'api_error.request.too_large',
    ],
    'media type': [
      { headers: { ...unknown, ...CHUNKED, ...plain, ...badVersion }, body: TOO_LARGE },
      415,
      'api_error.request.unsupported_media_type',
    ],
    credential: [
      { headers: { ...unknown, ...large }, body: TOO_LARGE },
      401,
      'The request is not authorized.',
    ],
    scope: [
      { headers: { ...narrow, ...large }, body: TOO_LARGE },
      401,
      'The token lacks the scope sandbox:write.',
    ],
    environment: [
      { headers: { ...live, ...large }, body: TOO_LARGE },
      403,
      'api_error.sandbox_only',
    ],
    'rate limit': [
      { headers: { ...usedUp, ...json, ...badVersion }, body: '{', untilLimited: true },
      429,
      'Too many requests',
    ],
    'sandbox calls': [
      { headers: { ...usedUp, ...large }, body: TOO_LARGE },
      429,
      'SANDBOX_CALLS_PER_DAY',
    ],
    body: [{ headers: { ...right, ...large }, body: TOO_LARGE }, 413, 'too_large'],
    version: [
      { headers: { ...right, ...json, ...badVersion }, body: '{' },
      400,
      'api_error.request.unsupported_version',
    ],
    shape: [
      { headers: { ...right, ...json }, body: '{' },
      422,
      'api_error.request.validation_failed',
    ],
  };
});

describeOrder('connect', ['POST', '/connect/api/session/step'], async () => {
  const token = await plaid.api.token('rival');
  const { connectToken } = await openSession(plaid.api, token);
  const unknown = bearer('unknown');
  const right = bearer(connectToken);
  const large = { ...CHUNKED, ...json };
  return {
    'declared size': [{ headers: { ...unknown, ...plain }, body: TOO_LARGE }, 413, 'too_large'],
    'media type': [
      { headers: { ...unknown, ...CHUNKED, ...plain }, body: TOO_LARGE },
      415,
      'unsupported_media_type',
    ],
    credential: [
      { headers: { ...unknown, ...large }, body: TOO_LARGE },
      401,
      'connect_error.invalid_session_token',
    ],
    'rate limit': [
      { headers: { ...right, ...json }, body: '{', untilLimited: true },
      429,
      'connect_error.rate_limited',
    ],
    body: [{ headers: { ...right, ...large }, body: TOO_LARGE }, 413, 'too_large'],
    shape: [{ headers: { ...right, ...json }, body: '{' }, 422, 'connect_error.invalid_input'],
  };
});

describeOrder('plaid', ['POST', '/sandbox/item/reset_login'], async () => {
  const { api } = plaid;
  const uses = new AppUseRepository(api.ctx);
  const pocket = tenant('pocket-ledger');
  await uses.setLimit(pocket, 'sandbox_calls', null);
  const removed = [await plaid.item(), await plaid.item()].map((item) => item.access_token);
  const { access_token: living } = await plaid.item();
  for (const token of removed) await plaid.plaid.itemRemove({ access_token: token });
  const scoped = await newKeyPair(api, { scopes: ['links:read'] });
  await uses.setLimit(pocket, 'sandbox_calls', 0);
  const wrong = { 'plaid-client-id': 'no_one', 'plaid-secret': 'x' };
  const pair = (environment: 'sandbox' | 'live') => ({
    client_id: clientId('pocket-ledger', environment),
    secret: clientSecret('pocket-ledger', environment),
  });
  const narrow = { client_id: scoped.client_id, secret: scoped.client_secret };
  const call = (body: object, more: Partial<Sent> = {}): Sent => ({
    headers: json,
    body: JSON.stringify(body),
    ...more,
  });
  return {
    'declared body': [{ headers: { ...wrong, ...plain }, body: '{' }, 400, 'INVALID_BODY'],
    'key pair in headers': [{ headers: { ...wrong, ...json }, body: '{' }, 400, 'INVALID_API_KEYS'],
    body: [{ headers: json, body: '{' }, 400, 'INVALID_BODY'],
    'key pair in body': [call({ client_id: 'no_one', secret: 'x' }), 400, 'INVALID_API_KEYS'],
    environment: [call(pair('live')), 400, 'SANDBOX_ONLY'],
    scope: [call(narrow), 400, 'UNAUTHORIZED_ROUTE_ACCESS'],
    shape: [call(pair('sandbox')), 400, 'MISSING_FIELDS'],
    Item: [call({ ...pair('sandbox'), access_token: 'unknown' }), 400, 'INVALID_ACCESS_TOKEN'],
    'rate limit': [
      call({ ...pair('sandbox'), access_token: removed[0] }, { untilLimited: true }),
      429,
      'RATE_LIMIT',
    ],
    'removed Item': [call({ ...pair('sandbox'), access_token: removed[1] }), 400, 'ITEM_NOT_FOUND'],
    'sandbox calls': [
      call({ ...pair('sandbox'), access_token: living }),
      429,
      'SANDBOX_CALLS_PER_DAY',
    ],
  };
});

describeOrder('simplefin', ['GET', '/simplefin/accounts?start-date=x'], async () => {
  const { baseUrl } = plaid.api.api;
  const app = new FinanceApp(baseUrl);
  const { setup_token: setup } = await createToken(
    plaid.api,
    await plaid.api.token('rival'),
    'user-1',
  );
  const { username, password } = new URL(await app.connect(setup));
  const basic = (credential: string) => ({
    authorization: `Basic ${Buffer.from(credential).toString('base64')}`,
  });
  return {
    'declared size': [
      { headers: { ...basic('a:b'), 'content-length': '8193' }, body: 'x'.repeat(8_193) },
      413,
      'too large',
    ],
    credential: [{ headers: basic('a:b') }, 403, 'Forbidden'],
    'rate limit': [
      { headers: basic(`${username}:${password}`), untilLimited: true },
      429,
      'Too many requests',
    ],
  };
});
