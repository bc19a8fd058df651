import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { hashClientSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';
import { TENANT } from '../../support/fixtures/stored-link.js';
import { ask, type MeasuredProcess, type startMeasured } from './measured-process.js';
import type { Report } from './report.js';
import { spreadOf } from './rounds.js';
import { newRow, type WebhookData } from './webhook-data.js';
import { timeAt } from './webhook-times.js';

// One event at a time, from its commit to a local receiver through `tributary listen`, against the same
// event at the address of its link, which the webhooks process sends. A call that waits looks for
// events five times a second, so the pauses between events are random.
const EVENTS_OF_ROUND = 60;
const MAX_PAUSE_MS = 400;
const GOAL_MS = 1_000;

interface Waits {
  webhook: number[];
  listen: number[];
}

/** @param localReceiver another address of `endpoints` than that of the first link */
export async function measureListening({
  data,
  report,
  rounds,
  endpoints,
  localReceiver,
  environment,
  start,
}: {
  data: WebhookData;
  report: Report;
  rounds: number;
  endpoints: MeasuredProcess;
  localReceiver: string;
  environment: Record<string, string>;
  start: typeof startMeasured;
}): Promise<void> {
  const [link] = data.links;
  const api = await start(['--enable-source-maps', 'dist/apps/api/src/main.js'], {
    ...environment,
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    API_PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: String(await freePort('127.0.0.1')),
  });
  const cli = new DeveloperCli(api.url, await newKeyPair(data));
  const listening = cli.start(['listen', '--forward-to', localReceiver]);
  await listening.until('Listening.');
  try {
    // The first round warms each side up.
    await measureRound();
    const measured: Waits[] = [];
    for (let round = 0; round < rounds; round += 1) {
      report.progress(`round ${round + 1} of ${rounds}`);
      measured.push(await measureRound());
    }
    noteWaits(report, measured);
  } finally {
    listening.interrupt();
    await listening.ended;
  }

  async function measureRound(): Promise<Waits> {
    const waits: Waits = { webhook: [], listen: [] };
    for (let made = 0; made < EVENTS_OF_ROUND; made += 1) {
      await ask(endpoints, '/reset');
      await pause(Math.random() * MAX_PAUSE_MS);
      const { token: ofWebhook, committingAt } = await data.recordOne(newRow(link));
      await ask(endpoints, '/until?count=2');
      // The delivery of a listener has a token of its own.
      for (const [token, at] of await ask<[string, number][]>(endpoints, '/arrived'))
        waits[token === ofWebhook ? 'webhook' : 'listen'].push(at - committingAt);
    }
    return waits;
  }
}

async function newKeyPair({ storage }: WebhookData) {
  const pair = {
    client_id: `${TENANT.environment}_${TENANT.appId}`,
    client_secret: randomBytes(32).toString('hex'),
  };
  await storage.ctx.database.prisma.clientSecret.create({
    data: {
      secretId: 'bench',
      clientId: pair.client_id,
      secretHash: hashClientSecret(pair.client_secret),
    },
  });
  return pair;
}

function noteWaits(report: Report, rounds: readonly Waits[]): void {
  for (const [receiver, name] of [
    ['webhook', 'a webhook to the address of the link, commit to received'],
    ['listen', '`tributary listen`, commit to received by the local receiver'],
  ] as const) {
    const times = rounds.flatMap((round) => round[receiver]);
    const [median = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => timeAt(times, share));
    const goal =
      receiver === 'webhook'
        ? ''
        : `; goal ${GOAL_MS} ms for the longest ${longest <= GOAL_MS ? 'reached' : 'MISSED'}`;
    report.note(
      receiver,
      { median, p99, longest, count: times.length },
      `${name}, ${times.length} events: median ${median.toFixed(0)} ms, 99 % ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms${goal}`,
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
