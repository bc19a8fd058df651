import { startApi, type RunningApi } from '../../apps/api/src/server/start-api.js';
import { readSettings } from '../../apps/platform/src/config/settings.js';
import { createLogger } from '../../apps/platform/src/logging/logger.js';
import { makeWebhookKey } from '../../prisma/work/provider-webhooks/webhook-key.js';
import type { WebhookEffect } from '../../providers/contract/provider.js';
import { eventually } from '../support/assertions/eventually.js';
import { soonerThan } from '../support/assertions/sooner-than.js';
import { Canaries } from '../support/fixtures/canaries.js';
import { SignedWebhooks } from '../support/fixtures/signed-webhooks.js';
import type { StoredLink } from '../support/fixtures/stored-link.js';
import { testTemporalAddress } from '../support/services/embedded-services.js';
import type { RunningWorker } from './support/compiled-worker.js';
import { ConfiguredStage } from './support/configured-stage.js';

const API_KEY = 'canary-api-key-of-the-operator';
const NOTE = 'canary-inside-a-webhook-body';
/** OVERDUE_AFTER, unless it is set. */
const OVERDUE_MS = 60_000;

const source = new SignedWebhooks();
let stage: ConfiguredStage;
let worker: RunningWorker;
let api: RunningApi;
let apiLog = '';
let link: StoredLink;
let key: string;
beforeAll(async () => {
  stage = await ConfiguredStage.open();
  stage.source.acceptedKey = API_KEY;
  const { adapter } = stage.source;
  const create = adapter.create.bind(adapter);
  adapter.create = (configuration) => ({ ...create(configuration), readWebhook: source.read });
  worker = await stage.startWorker();
  const { status } = await stage.providers(['add', 'trial', '--secret', 'api_key=-'], API_KEY);
  expect(status).toBe(0);
  link = await stage.addLink('trial');
  key = (await makeWebhookKey(stage.storage.ctx, 'trial')) ?? '';
  const settings = readSettings(
    {
      DATABASE_URL: stage.storage.url,
      TEMPORAL_ADDRESS: testTemporalAddress(),
      MASTER_KEYS: `test:${stage.storage.masterKey.toString('base64')}`,
    },
    'api',
  );
  api = await startApi({
    settings: { ...settings, apiPort: 0, metricsPort: 0 },
    logger: createLogger({
      name: 'api',
      level: 'debug',
      format: 'json',
      destination: { write: (line: string) => (apiLog += line) },
    }),
  });
});
afterAll(async () => {
  await api?.close();
  await stage?.close();
});

const more = (): WebhookEffect => ({
  kind: 'refresh',
  reference: `permission-of-${link.linkId}`,
  products: ['accounts'],
});

async function send({ headers, body }: ReturnType<SignedWebhooks['make']>): Promise<number> {
  const response = await fetch(`${api.url}/provider-webhooks/trial/${key}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  await response.body?.cancel();
  return response.status;
}

/** Waits until the source was called `calls` times in total and the run has finished. */
const fetched = (calls: number) =>
  eventually(async () => {
    expect(stage.source.calls).toHaveLength(calls);
    expect(await stage.standing(link)).toMatchObject({ accounts: 'completed', isRunning: false });
  });

const rows = () => stage.storage.ctx.database.prisma.providerWebhook.findMany();

describe('A webhook of a source', () => {
  it('has its link fetched at once, not when the sweeper finds it overdue', async () => {
    expect(await send(source.make([more()], { note: `${NOTE} first` }))).toBe(200);
    await soonerThan(OVERDUE_MS, fetched(1));
  });

  it('causes one fetch if it arrives a hundred times', async () => {
    const before = stage.source.calls.length;
    const webhook = source.make([more()], { note: `${NOTE} again` });
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(webhook)));
    expect(new Set(answers)).toEqual(new Set([200]));
    await fetched(before + 1);
    const reads = source.reads;
    // A later one arrives after everything that the hundred could have caused.
    await send(source.make([more()], { note: `${NOTE} later` }));
    await fetched(before + 2);
    expect(source.reads).toBe(reads + 1);
  });

  it('has no effect if it is forged, and is read once', async () => {
    const before = stage.source.calls.length;
    const stranger = new SignedWebhooks('canary-secret-of-a-stranger');
    const reads = source.reads;
    expect(await send(stranger.make([more()], { note: NOTE }))).toBe(200);
    await eventually(async () => {
      expect((await rows()).map(({ state }) => state)).toContain('refused');
    });
    expect({ reads: source.reads, calls: stage.source.calls.length }).toEqual({
      reads: reads + 1,
      calls: before,
    });
    expect(await stage.metricsOf(worker)).toContain(
      'tributary_provider_webhooks_total{outcome="signature"} 1',
    );
  });

  it('leaves its body, its signature and its key in no log, history, metric or row', async () => {
    const { headers, body } = source.make([more()], { note: `${NOTE} last` });
    const before = stage.source.calls.length;
    await send({ headers, body });
    await fetched(before + 1);
    const canaries = new Canaries();
    canaries.add('body', NOTE);
    canaries.add('signature', headers['x-trial-signature'] ?? '');
    canaries.add('key', key);
    canaries.add('webhook secret', source.secret);
    canaries.add('operator key', API_KEY);
    // One text of each webhook, to prove that the search also works where a secret would be.
    const ids = (await rows()).map(({ webhookId }) => webhookId);
    canaries.add('id', ids.at(-1) ?? '');
    const texts = [await stage.everythingReadable(), apiLog].join('\n');
    expect(canaries.findIn(texts)).toEqual(['id']);
    const stored = (await rows()).map((row) => JSON.stringify({ ...row, bodySha256: null }));
    expect(canaries.findIn(stored.join('\n'))).toEqual(['id']);
  });
});
