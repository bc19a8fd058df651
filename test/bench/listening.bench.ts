import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../apps/standalone/src/ports.js';
import { hashClientSecret } from '../../prisma/tenants/applications/client-secret.js';
import { recordWebhookEvent } from '../../prisma/announcements/events/record-webhook-event.js';
import { DeveloperCli } from '../support/actors/developer-cli.js';
import { openStorage, storeLink, TENANT } from '../support/fixtures/stored-link.js';
import { ask, startMeasured, type MeasuredProcess } from './support/measured-process.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { spreadOf } from './support/rounds.js';
import { timeAt } from './support/webhook-times.js';

// One event at a time, from its commit to a local receiver through `tributary listen`, against the same
// event at the address of its link, which the webhooks process sends. A call that waits looks for
// events five times a second, so the pauses between events are random.
const EVENTS_OF_ROUND = 60;
const MAX_PAUSE_MS = 400;
const GOAL_MS = 1_000;
const SWC = ['--import', '@swc-node/register/esm-register'];

interface Waits {
  webhook: number[];
  listen: number[];
}

const options = readOptions();
const report = new Report('listening');
const running: MeasuredProcess[] = [];
const start = async (...args: Parameters<typeof startMeasured>) => {
  const started = await startMeasured(...args);
  running.push(started);
  return started;
};

const endpoints = await start([...SWC, 'test/bench/servers/webhook-endpoints.ts'], {
  ENDPOINTS: '2',
});
const [addressOfLink = '', localReceiver = ''] = (await ask<number[]>(endpoints, '/ports')).map(
  (port) => `http://127.0.0.1:${port}/hooks`,
);
const storage = await openStorage();
const { database } = storage.ctx;
const { pk } = await storeLink(storage, { webhook: addressOfLink });
const link = await database.prisma.link.findUniqueOrThrow({ where: { pk } });
try {
  const environment = {
    DATABASE_URL: storage.url,
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    BASE_URL: 'http://127.0.0.1:4000',
    WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
  };
  const metricsPort = String(await freePort('127.0.0.1'));
  await start(
    ['--enable-source-maps', 'dist/apps/webhooks/src/main.js'],
    { ...environment, WEBHOOKS_METRICS_PORT: metricsPort },
    `http://127.0.0.1:${metricsPort}/health/ready`,
  );
  const api = await start(['--enable-source-maps', 'dist/apps/api/src/main.js'], {
    ...environment,
    API_PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: String(await freePort('127.0.0.1')),
  });
  const cli = new DeveloperCli(api.url, await newKeyPair());
  const listening = cli.start(['listen', '--forward-to', localReceiver]);
  await listening.until('Listening.');
  try {
    // The first round warms each side up.
    await measureRound();
    const rounds: Waits[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      report.progress(`round ${round + 1} of ${options.rounds}`);
      rounds.push(await measureRound());
    }
    tell(rounds);
  } finally {
    listening.interrupt();
    await listening.ended;
  }
} finally {
  for (const server of running.reverse()) await server.stop();
  await storage.close();
}
report.end(options.json);

async function newKeyPair() {
  const pair = {
    client_id: `${TENANT.environment}_${TENANT.appId}`,
    client_secret: randomBytes(32).toString('hex'),
  };
  await database.prisma.clientSecret.create({
    data: {
      secretId: 'bench',
      clientId: pair.client_id,
      secretHash: hashClientSecret(pair.client_secret),
    },
  });
  return pair;
}

async function measureRound(): Promise<Waits> {
  const waits: Waits = { webhook: [], listen: [] };
  for (let made = 0; made < EVENTS_OF_ROUND; made += 1) {
    await ask(endpoints, '/reset');
    await pause(Math.random() * MAX_PAUSE_MS);
    const { deliveryId, committingAt } = await recordOne();
    const arrivals = await bothArrivals();
    for (const [token, at] of arrivals)
      waits[token === deliveryId ? 'webhook' : 'listen'].push(at - committingAt);
  }
  return waits;
}

async function recordOne(): Promise<{ deliveryId: string; committingAt: number }> {
  let committingAt = Number.NaN;
  const { deliveryId } = await database.transaction(async (tx) => {
    const recorded = await recordWebhookEvent(storage.ctx, tx, link, {
      webhook_event: 'link.state_changed',
      state: 'connected',
      error: null,
      error_message: null,
    });
    // On the clock of the endpoints.
    committingAt = performance.timeOrigin + performance.now();
    return recorded;
  });
  return { deliveryId, committingAt };
}

/** The delivery of a listener has a token of its own. */
async function bothArrivals(): Promise<[token: string, at: number][]> {
  await ask(endpoints, '/until?count=2');
  return ask(endpoints, '/arrived');
}

function tell(rounds: readonly Waits[]): void {
  for (const [way, name] of [
    ['webhook', 'a webhook to the address of the link, commit to received'],
    ['listen', '`tributary listen`, commit to received by the local receiver'],
  ] as const) {
    const times = rounds.flatMap((round) => round[way]);
    const [median, p99, most] = [0.5, 0.99, 1].map((share) => timeAt(times, share)) as [
      number,
      number,
      number,
    ];
    const goal =
      way === 'webhook'
        ? ''
        : `; goal ${GOAL_MS} ms for the longest ${most <= GOAL_MS ? 'reached' : 'MISSED'}`;
    report.note(
      way,
      { median, p99, most, count: times.length },
      `${name}, ${times.length} events: median ${median.toFixed(0)} ms, 99 % ${p99.toFixed(0)} ms, longest ${most.toFixed(0)} ms${goal}`,
    );
  }
  const ratios = rounds.map(({ webhook, listen }) => timeAt(listen, 0.5) / timeAt(webhook, 0.5));
  const { median, min, max } = spreadOf(ratios);
  report.note(
    'ratio',
    { median, min, max },
    `the median of listening, of that of the webhook in the same round: ${median.toFixed(0)} × (${min.toFixed(0)}–${max.toFixed(0)})`,
  );
}
