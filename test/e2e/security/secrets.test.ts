import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeys } from '../../../apps/platform/src/config/setting-parsers.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';
import {
  openTemporalClient,
  type TemporalClient,
} from '../../../apps/platform/src/temporal/temporal-client.js';
import { Canaries } from '../../support/fixtures/canaries.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, USER_AGENT } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { operate } from '../../support/actors/operator.js';
import { Standalone, type StandaloneApp } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { readHistories } from '../../support/assertions/workflow-histories.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import {
  addSealed,
  linkAtCredentialsBank,
  linkAtOAuthBank,
  misuseCalls,
  repeatCalls,
  type KnownSecrets,
} from './support/canary-visits.js';

const secrets: KnownSecrets = { canaries: new Canaries(), sealed: new Canaries() };
const { canaries, sealed } = secrets;
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
  addSealed(secrets, 'browser of the user', USER_AGENT);
  canaries.add('customer user', 'canary-customer-user');
  canaries.add('customer address', 'canary-mail@example.test');
  canaries.add('link session token', linked.session.link_session_token);
  canaries.add('connect token', linked.visit.connectToken);
  canaries.add('exchangeable token', linked.result.exchangeable_token);
  canaries.add('cursor', (await app.walk(linked.linkId)).cursor);

  await linkAtOAuthBank(app, secrets);
  await linkAtCredentialsBank(app, secrets);
  await repeatCalls(app, secrets);
  await misuseCalls(app, secrets);
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
  const decode = (payloads: readonly object[] | undefined, headers: Record<string, string>) => {
    const listening =
      /"port":(\d+)[^\n]*"msg":"codec.listening"|"msg":"codec.listening"[^\n]*"port":(\d+)/;
    const port = listening.exec(service.logs())?.slice(1).find(Boolean);
    return fetch(`http://127.0.0.1:${port}/decode`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-namespace': temporal.client.options.namespace,
        ...headers,
      },
      body: JSON.stringify({ payloads }),
    });
  };
  /** The text of the only payload in a response. */
  const textOf = async (response: Response): Promise<string> => {
    const { payloads } = (await response.json()) as { payloads: { data: string }[] };
    return Buffer.from(payloads[0]?.data ?? '', 'base64').toString();
  };
  const withToken = () => ({
    authorization: `Bearer ${readFileSync(join(service.dataDir, 'codec-token'), 'utf8')}`,
  });

  it('decodes a history for holders of the token in its file, which the log records, and for no one else on the machine', async () => {
    const [session] = (await histories()).filter(({ id }) => id.startsWith('link-session/'));
    const history = JSON.parse(session?.raw ?? '') as {
      events: { workflowExecutionStartedEventAttributes?: { input: { payloads: object[] } } }[];
    };
    const [{ workflowExecutionStartedEventAttributes: started } = {}] = history.events;
    expect((await decode(started?.input.payloads, {})).status).toBe(401);
    const answer = await decode(started?.input.payloads, withToken());
    expect(answer.status).toBe(200);
    expect(await textOf(answer)).toContain(session?.id.slice('link-session/'.length));
    // Keeps the whole log out of the message of a failure.
    await eventually(() => expect(service.logs().includes('"msg":"codec.decoded"')).toBe(true));
  });

  it('decodes the current details of a workflow, which are encrypted', async () => {
    const [refresh] = (await histories()).filter(({ id }) => id.startsWith('product-refresh/'));
    const { queryResult } = await temporal.client.workflowService.queryWorkflow({
      namespace: temporal.client.options.namespace,
      execution: { workflowId: refresh?.id ?? '' },
      query: { queryType: '__temporal_workflow_metadata' },
    });
    const [payload] = queryResult?.payloads ?? [];
    const encrypted = {
      metadata: Object.fromEntries(
        Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(payload?.data ?? new Uint8Array()),
    };
    const details = /"currentDetails":"At `/;
    expect(Buffer.from(payload?.data ?? []).toString()).not.toMatch(details);
    expect(await textOf(await decode([encrypted], withToken()))).toMatch(details);
  });
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
