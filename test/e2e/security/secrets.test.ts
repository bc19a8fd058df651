import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeys } from '../../../apps/platform/src/config/setting-parsers.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import {
  openTemporalClient,
  type TemporalClient,
} from '../../../apps/platform/src/temporal/temporal-client.js';
import { Canaries } from '../../support/fixtures/canaries.js';
import {
  chooseCredentialsBank,
  linkCredentialsBank,
  signIn,
} from '../../support/actors/credentials-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  AppBackEnd,
  call,
  ConnectVisit,
  expectStatus,
  USER_AGENT,
} from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { SessionResponse } from '../../support/actors/response-bodies.js';
import {
  answerQuestions,
  arriveAtApp,
  submitReturnCall,
  chooseOAuthBank,
  decideAtBank,
  startRedirect,
} from '../../support/actors/oauth-journey.js';
import { operate } from '../../support/actors/operator.js';
import { Standalone, type StandaloneApp } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { readHistories } from '../../support/assertions/workflow-histories.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

const canaries = new Canaries();
/** The canaries that may not even be stored in plain text. */
const sealed = new Canaries();
let truth: StoredTruth;
let service: Standalone;
let receiver: WebhookReceiver;
let temporal: TemporalClient;
let codec: EncryptingPayloadCodec;

beforeAll(async () => {
  service = await Standalone.start({
    servers: 'own',
    env: { LOG_LEVEL: 'trace', WEBHOOK_ATTEMPTS_AT: '0s,1s,2s,3s' },
  });
  const {
    base_url: baseUrl,
    temporal_address: address,
    temporal_namespace: namespace,
  } = service.info;
  const stored = JSON.parse(readFileSync(join(service.dataDir, 'secrets.json'), 'utf8')) as {
    master_keys: string;
    postgres_password: string;
    sandbox_bank: { secret: string; database_password: string };
  };
  const keys = masterKeys(stored.master_keys);
  codec = new EncryptingPayloadCodec(keys);
  temporal = openTemporalClient({ address, namespace, masterKeys: keys });
  receiver = await WebhookReceiver.start({ verify: baseUrl });
  truth = new StoredTruth(() => service.info.database_url);

  canaries.add('master key', stored.master_keys.split(':')[1] ?? '');
  canaries.add('database password', stored.postgres_password);
  canaries.add('secret of the sandbox bank', stored.sandbox_bank.secret);
  canaries.add('database password of the sandbox bank', stored.sandbox_bank.database_password);
  const issued = await operate<StandaloneApp>(
    service.dataDir,
    'apps',
    'create',
    '--name',
    'Canary keeper',
  );
  for (const [owner, { sandbox, live }] of [
    ['demo', service.app],
    ['canary', issued],
  ] as const) {
    canaries.add(`${owner} sandbox secret`, sandbox.client_secret);
    canaries.add(`${owner} live secret`, live.client_secret);
  }

  const app = new AppBackEnd(baseUrl, issued.sandbox);
  canaries.add('access token', await app.accessToken());
  // Every first attempt fails, so that each delivery becomes a workflow.
  receiver.respondWith(({ headers }) => ({
    status: headers['service-delivery-attempt'] === '1' ? 500 : 204,
    body: 'what a receiver says: canary-of-the-receiver',
  }));
  canaries.add('words of the receiver', 'canary-of-the-receiver');
  const webhook = receiver.url('/hooks?secret=canary-in-the-address');
  canaries.add('secret in the webhook address', 'canary-in-the-address');
  const linked = await linkInstantBank(app, {
    webhook,
    customer_user: { id: 'canary-customer-user', email: { address: 'canary-mail@example.test' } },
  });
  for (const kept of [canaries, sealed]) kept.add('browser of the user', USER_AGENT);
  canaries.add('customer user', 'canary-customer-user');
  canaries.add('customer address', 'canary-mail@example.test');
  canaries.add('link session token', linked.session.link_session_token);
  canaries.add('connect token', linked.visit.connectToken);
  canaries.add('exchangeable token', linked.result.exchangeable_token);
  canaries.add('cursor', (await app.walk(linked.linkId)).cursor);

  await oauth(app);
  await credentials(app);
  await repeatable(app);
  await misuse(app);
  await eventually(async () => {
    expect(
      await truth.rows(
        "SELECT delivery_id FROM webhook_deliveries WHERE status NOT IN ('delivered', 'no_address')",
      ),
    ).toEqual([]);
  });
  for (const {
    signatures: [signature = ''],
    body,
  } of receiver.received) {
    canaries.add(`signature of ${body.webhook_idempotency_key}`, signature.split('.')[2] ?? '');
    canaries.add(`key of ${body.webhook_idempotency_key}`, body.webhook_idempotency_key);
  }
});

afterAll(async () => {
  await temporal?.close();
  await receiver?.stop();
  await service?.dispose();
});

/**
 * One user links at OAuth Bank in the window that started, one resumes in another, and one is at
 * the bank; none exchanges.
 */
async function oauth(app: AppBackEnd): Promise<void> {
  for (const [user, finish] of Object.entries(TRAVELERS)) {
    const { visit, session } = await chooseOAuthBank(app);
    const { authorize_url: authorizeUrl } = await startRedirect(visit);
    const callback = new URL(await decideAtBank(authorizeUrl));
    const address = await arriveAtApp(callback.href);
    const secrets = {
      state: callback.searchParams.get('state'),
      code: callback.searchParams.get('code'),
      oauth_state_id: new URL(address).searchParams.get('oauth_state_id'),
      nonce: new URL(authorizeUrl).searchParams.get('nonce'),
    };
    for (const [name, text] of Object.entries(secrets)) {
      for (const kept of [canaries, sealed]) kept.add(`${name} of ${user}`, text ?? '');
    }
    for (const kept of [canaries, sealed])
      kept.add(`tokens of ${user}`, session.link_session_token);
    await finish(visit, address);
  }
}

const TRAVELERS: Record<string, (visit: ConnectVisit, address: string) => Promise<unknown>> = {
  'who came back': async (visit, address) => {
    visit.view = (await submitReturnCall(visit, address)).body;
    return answerQuestions(visit);
  },
  'who resumed': async ({ baseUrl }, address) => {
    const elsewhere = await ConnectVisit.resume(baseUrl, address);
    for (const kept of [canaries, sealed])
      kept.add('connect token after a resume', elsewhere.connectToken);
    return answerQuestions(elsewhere);
  },
  'who is on the way': () => Promise.resolve(),
};

/**
 * One user mistypes everything before signing in, one stops at a wrong code, and one repairs a
 * link and stops at the accounts.
 */
async function credentials(app: AppBackEnd): Promise<void> {
  const typed = (name: string, text = `canary-${name}-${crypto.randomUUID()}`): string => {
    for (const kept of [canaries, sealed]) kept.add(`typed ${name}`, text);
    return text;
  };
  const digits = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte % 10).join('');
  const { visit } = await chooseCredentialsBank(app);
  await signIn(visit, typed('user name'), typed('password'));
  await signIn(visit, 'mfa_questions');
  await visit.answer({ kind: 'form', values: { colour: typed('answer'), pet: 'rex' } });
  await visit.answer({ kind: 'form', values: { colour: 'blue', pet: 'rex' } });
  await answerQuestions(visit);

  const { visit: stopped } = await chooseCredentialsBank(app);
  await signIn(stopped, 'mfa_sms');
  await stopped.answer({ kind: 'otp', code: typed('code', digits()) });
  const { visit: looking } = await chooseCredentialsBank(app);
  await signIn(looking, 'mfa_image');
  await looking.answer({ kind: 'image', answer: typed('what the picture shows') });

  const name = 'canary name of an account';
  canaries.add('name of an account', name);
  const custom = {
    accounts: [
      {
        account_type: 'depository.checking',
        name,
        account_number: '400012345678',
        balances: { currency: 'USD', available: 1, current: 1, limit: null, balance_date: null },
      },
    ],
  };
  const { linkId } = await linkCredentialsBank(app, 'user_custom', { custom_sandbox_data: custom });
  const { link_session_token: token } = await app.createSession({ existing_link_id: linkId });
  const again = await ConnectVisit.open(app.baseUrl, token);
  await again.settle();
  await signIn(again, typed('user name of a relink'), typed('password of a relink'));
  await signIn(again, 'user_good');
}

/** Responses that are stored for a repeated request with the same Idempotency-Key. */
async function repeatable(app: AppBackEnd): Promise<void> {
  const kept = (name: string, text: string): string => {
    for (const known of [canaries, sealed]) known.add(name, text);
    return text;
  };
  const keyed = <T>(path: string, body: unknown) =>
    expectStatus<T>(
      201,
      app.call<T>('POST', path, {
        body,
        headers: { 'idempotency-key': `key-of-${crypto.randomUUID()}` },
      }),
    );
  const { link_session_token: token } = await keyed<SessionResponse>('/link-session', {
    customer_user: { id: 'canary-of-a-repeated-call' },
  });
  const visit = await ConnectVisit.open(app.baseUrl, kept('kept link session token', token));
  kept('connect token of a kept session', visit.connectToken);
  await visit.select();
  await keyed('/link-session/exchange-token', {
    exchangeable_token: kept(
      'exchangeable token of a kept answer',
      (await visit.finish()).exchangeable_token,
    ),
  });
}

/** Invalid calls cause errors, and errors are logged. */
async function misuse(app: AppBackEnd): Promise<void> {
  const canary = (name: string): string => {
    const text = `canary-${name}-${crypto.randomUUID()}`;
    canaries.add(name, text);
    return text;
  };
  const { baseUrl } = app;
  await new AppBackEnd(baseUrl, {
    client_id: app.pair.client_id,
    client_secret: canary('wrong secret'),
  }).fetchToken();
  await call(baseUrl, 'POST', '/auth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${app.pair.client_id}:${canary('wrong basic secret')}`).toString('base64')}`,
    },
    rawBody: '',
  });
  await call(baseUrl, 'GET', '/links', { bearer: canary('wrong access token') });
  await call(baseUrl, 'GET', `/links?access_token=${canary('token in the query')}`);
  await call(baseUrl, 'GET', `/no/such/route?token=${canary('token on an unknown route')}`);
  await app.call('POST', '/link-session', {
    rawBody: `{"customer_user": {"id": "${canary('value in broken JSON')}"`,
  });
  await app.call('POST', '/link-session', {
    body: { customer_user: { id: 7, note: canary('value of a bad field') } },
  });
  await app.exchange(canary('wrong exchangeable token'));
  await ConnectVisit.openCall(baseUrl, canary('wrong session token'));
  await call(baseUrl, 'GET', '/connect/api/session', { bearer: canary('wrong connect token') });
  const visit = await ConnectVisit.open(baseUrl, (await app.createSession()).link_session_token);
  await visit.submit({ kind: 'form', values: { password: canary('typed password') } });
  await visit.submit({ kind: 'otp', code: canary('typed code') });
  await submitReturnCall(visit, `https://app.example/?oauth_state_id=${canary('wrong return')}`);
  await ConnectVisit.resumeCall(
    baseUrl,
    `https://app.example/?oauth_state_id=${canary('wrong resume')}`,
  );
  await fetch(
    `${baseUrl}/connect/oauth/callback?state=${canary('wrong state')}&code=${canary('wrong OAuth code')}`,
  );
}

const histories = () => readHistories(temporal, codec);

// connect 13, check 7.
describe('Passwords, codes, client secrets, tokens and webhook bodies', () => {
  it('are recorded by this test in sufficient number', () => {
    expect(canaries.count).toBeGreaterThan(30);
  });

  it('are in no log of any process, even at the most verbose level', () => {
    const logs = service.logs();
    expect(logs).toContain('"level":"trace"');
    for (const name of ['api', 'worker', 'webhooks']) expect(logs).toContain(`"service":"${name}"`);
    expect(
      logs
        .split('\n')
        .filter((line) => canaries.findIn(line).length > 0)
        .map((line) => ({ line: line.slice(0, 500), holds: canaries.findIn(line) })),
    ).toEqual([]);
  });

  it('are in no workflow history, decoded or not', async () => {
    const found = await eventually(async () => {
      const all = await histories();
      for (const kind of [
        'link-session/',
        'reauthentication/',
        'product-refresh/',
        'webhook-delivery/',
      ])
        expect(all.map(({ id }) => id).filter((id) => id.startsWith(kind))).not.toEqual([]);
      return all;
    });
    expect(
      found
        .filter(({ raw, decoded }) => canaries.findIn(raw + decoded).length > 0)
        .map(({ id, raw, decoded }) => ({ id, holds: canaries.findIn(raw + decoded) })),
    ).toEqual([]);
  });

  it('are in no search attribute, memo or description of a workflow', async () => {
    const shown: { id: string; text: string }[] = [];
    for await (const { workflowId, runId } of temporal.client.workflow.list()) {
      const { searchAttributes, memo, raw, ...described } = await temporal.client.workflow
        .getHandle(workflowId, runId)
        .describe();
      const texts = [
        workflowId,
        searchAttributes,
        memo,
        await described.staticSummary(),
        await described.staticDetails(),
        raw,
      ];
      shown.push({ id: workflowId, text: texts.map((text) => JSON.stringify(text)).join('\n') });
    }
    for (const kind of ['link-session/', 'reauthentication/', 'webhook-delivery/'])
      expect(shown.filter(({ id }) => id.startsWith(kind)).length).toBeGreaterThan(0);
    for (const { id, text } of shown.filter(({ id: name }) => name.startsWith('link-session/')))
      expect(text).toContain(`"${id.slice('link-session/'.length)}"`);
    expect(
      shown
        .filter(({ text }) => canaries.findIn(text).length > 0)
        .map(({ id, text }) => ({ id, holds: canaries.findIn(text) })),
    ).toEqual([]);
  });

  it('are in no webhook except for its own key', () => {
    expect(receiver.received.length).toBeGreaterThan(3);
    const holds = receiver.received.flatMap(({ rawBody }) =>
      canaries.findIn(rawBody.toString('utf8')),
    );
    expect(holds.filter((name) => !name.startsWith('key of '))).toEqual([]);
  });

  it('are in no database row in plain text when they were entered or belong to an OAuth redirect', async () => {
    expect(sealed.count).toBe(27);
    const tables = await truth.dump();
    expect(tables['public.oauth_states']?.split('\n')).toHaveLength(3);
    expect(tables['public.idempotency_records']?.split('\n')).toHaveLength(2);
    expect(
      Object.entries(tables)
        .map(([table, text]) => [table, sealed.findIn(text)])
        .filter(([, found]) => found?.length !== 0),
    ).toEqual([]);
  });

  it('are unreadable in payloads without the key, because payloads are encrypted', async () => {
    const [session] = (await histories()).filter(({ id }) => id.startsWith('link-session/'));
    const sessionId = session?.id.slice('link-session/'.length) ?? '';
    const payload = Buffer.from(`{"sessionId":"${sessionId}`).toString('base64').slice(0, 40);
    expect(session?.decoded).toContain(payload);
    expect(session?.raw).not.toContain(payload);
  });
});

describe('The codec server of standalone', () => {
  it('decodes a history for holders of the token in its file, which the log records, and for no one else on the machine', async () => {
    const [session] = (await histories()).filter(({ id }) => id.startsWith('link-session/'));
    const history = JSON.parse(session?.raw ?? '') as {
      events: { workflowExecutionStartedEventAttributes?: { input: { payloads: object[] } } }[];
    };
    const [{ workflowExecutionStartedEventAttributes: started } = {}] = history.events;
    const listening =
      /"port":(\d+)[^\n]*"msg":"codec.listening"|"msg":"codec.listening"[^\n]*"port":(\d+)/;
    const port = listening.exec(service.logs())?.slice(1).find(Boolean);
    const decode = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/decode`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-namespace': temporal.client.options.namespace,
          ...headers,
        },
        body: JSON.stringify({ payloads: started?.input.payloads }),
      });
    expect((await decode({})).status).toBe(401);
    const token = readFileSync(join(service.dataDir, 'codec-token'), 'utf8');
    const answer = await decode({ authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    const { payloads } = (await answer.json()) as { payloads: { data: string }[] };
    expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).toContain(
      session?.id.slice('link-session/'.length),
    );
    // Keeps the whole log out of the message of a failure.
    await eventually(() => expect(service.logs().includes('"msg":"codec.decoded"')).toBe(true));
  });
});
