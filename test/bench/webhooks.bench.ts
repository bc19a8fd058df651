import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../apps/standalone/src/ports.js';
import type { EndpointMode } from './servers/webhook-endpoints.js';
import { bareWebhooks } from './servers/sign-and-post.js';
import { addGraphileJobs } from './support/graphile-jobs.js';
import { measureListening } from './support/listening.js';
import { leastDisturbed, quietHost, type LeastDisturbed } from './support/least-disturbed.js';
import { ask, startMeasured, type MeasuredProcess } from './support/measured-process.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { interleave, spreadOf, type Sample } from './support/rounds.js';
import type { LinkRow } from '../../prisma/announcements/events/record-webhook-event.js';
import { newRow, WebhookData } from './support/webhook-data.js';
import { measureRetries } from './support/webhook-retries.js';
import { noteTimes, ofDirectPosts, waitsUntil, type SteadyTimes } from './support/webhook-times.js';

// Webhooks from commit to receiver: the real webhooks process against a bare loop that signs and
// POSTs, and against the same task on a general job queue; then the latency of an event at a steady
// rate, and the effect of hung and dead endpoints on the others; then the time until a listener has it.
// Arrived deliveries are counted, each once.
const ENDPOINTS = 20;
const BURST = 6_000;
const RATE = 300;
const STEADY_EVENTS = 3_000;
const BACKLOG = 100_000;
const WARM_UP = 3;
/** A round takes half a second and varies as much as the machine. */
const ROUNDS_OF_LIMIT = 3;
/** Of ten seconds each. All of a kind count together. */
const WINDOWS = 3;
/** None hung, and one hung. */
const TURNS = 3;
/**
 * The windows that may be measured again because of the host, and the seconds to wait for it
 * before.
 */
const AGAIN = { inAll: 48, ofOne: 4, waitInAll: 1_200, waitAtOnce: 120 };
const SWC = ['--import', '@swc-node/register/esm-register'];
/** Receivers do not stop to collect garbage while others are measured. Megabytes. */
const ROOM = ['--initial-old-space-size=1024', '--no-memory-reducer'];

const options = readOptions();
const report = new Report('webhooks');
const running: MeasuredProcess[] = [];
const start = async (...args: Parameters<typeof startMeasured>) => {
  const started = await startMeasured(...args);
  running.push(started);
  return started;
};

const endpoints = await start([...ROOM, ...SWC, 'test/bench/servers/webhook-endpoints.ts'], {
  ENDPOINTS: String(ENDPOINTS),
});
const urls = (await ask<number[]>(endpoints, '/ports')).map(
  (port) => `http://127.0.0.1:${port}/hooks`,
);
const data = await WebhookData.open(urls);
try {
  const bare = await start([...SWC, 'test/bench/servers/bare-webhooks.ts'], {
    ENDPOINT_URLS: urls.join(' '),
  });
  const graphile = await start([...SWC, 'test/bench/servers/graphile-webhooks.ts'], {
    DATABASE_URL: data.databaseUrl,
  });
  const [metricsPort, workerMetricsPort] = [
    await freePort('127.0.0.1'),
    await freePort('127.0.0.1'),
  ];
  const environment = {
    DATABASE_URL: data.databaseUrl,
    MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    BASE_URL: 'http://127.0.0.1:4000',
    WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
  };
  // Makes the retries.
  await start(
    ['--enable-source-maps', 'dist/apps/worker/src/main.js'],
    {
      ...environment,
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
      SANDBOX_BANK_URL: 'http://127.0.0.1:1',
      SANDBOX_BANK_SECRET: 'unused'.repeat(8),
      SANDBOX_BANK_PUBLIC_URL: 'http://127.0.0.1:1',
      WORKER_METRICS_PORT: String(workerMetricsPort),
    },
    `http://127.0.0.1:${workerMetricsPort}/health/ready`,
  );
  const sender = await start(
    ['--enable-source-maps', 'dist/apps/webhooks/src/main.js'],
    { ...environment, WEBHOOKS_METRICS_PORT: String(metricsPort) },
    `http://127.0.0.1:${metricsPort}/health/ready`,
  );

  const [sick, ...healthy] = data.links;
  if (sick === undefined) throw new Error('there are endpoints');
  if (options.wants('capacity')) {
    const databaseCpu: number[] = [];
    const sendBare = () =>
      burst(
        bare,
        async () => (await ask<{ startedAt: number }>(bare, `/burst?count=${BURST}`)).startedAt,
      );
    const sendByService = () => burst(sender, () => data.recordMany(BURST), databaseCpu);
    const toTheLimit = { bare: sendBare, service: sendByService };
    await interleave(toTheLimit, WARM_UP);
    databaseCpu.length = 0;
    const samples = await interleave(toTheLimit, ROUNDS_OF_LIMIT * options.rounds);
    const against = { limit: 'bare sign and POST', limitSamples: samples.bare };
    report.add({ what: `${BURST} webhooks, bare`, ...against, samples: samples.bare });
    report.add({
      what: `${BURST} webhooks, the webhooks process`,
      goal: 0.45,
      ...against,
      samples: samples.service,
    });
    const { median } = spreadOf(databaseCpu);
    report.note(
      'database',
      databaseCpu,
      `PostgreSQL spends ${median.toFixed(2)} ms of processor time on an event, writing it included`,
    );

    // Rounds of their own: the queue's leftovers in PostgreSQL are cleaned up while others run.
    const queues = await interleave(
      {
        graphile: () =>
          burst(graphile, () => addGraphileJobs(data.databaseUrl, bareWebhooks(BURST, urls))),
        service: sendByService,
      },
      options.rounds,
    );
    report.add({
      what: `${BURST} webhooks, the webhooks process`,
      goal: 3,
      limit: 'Graphile Worker',
      limitSamples: queues.graphile,
      samples: queues.service,
    });
  }
  // It listens to the same database, and PostgreSQL wakes every listener for each notification.
  await graphile.stop();
  if (options.wants('latency')) {
    await prepareSteadyRate();
    const times: Record<
      'none' | 'hung' | 'behind' | 'refusing' | 'refuses',
      LeastDisturbed<SteadyTimes>[]
    > = { none: [], hung: [], behind: [], refusing: [], refuses: [] };
    let mayAgain = AGAIN.inAll;
    let mayWait = AGAIN.waitInAll;
    const measure = async (
      what: keyof typeof times,
      text: string,
      take: () => Promise<SteadyTimes>,
      windows = 1,
      maxAgain = AGAIN.ofOne,
    ): Promise<void> => {
      report.progress(`${windows} × ${STEADY_EVENTS / RATE} s: ${text}`);
      for (let window = 0; window < windows; window += 1) {
        let again = 0;
        times[what].push(
          await leastDisturbed(take, async () => {
            if (mayAgain === 0 || again === maxAgain) return false;
            mayAgain -= 1;
            again += 1;
            report.progress(
              'again when the host is quiet: it took more than a hundredth of the time',
            );
            mayWait -= await quietHost(Math.min(AGAIN.waitAtOnce, mayWait));
            return true;
          }),
        );
      }
    };
    // Half before and half after, so that the compared figures share the same seconds of this
    // machine.
    const ofAll = async (): Promise<SteadyTimes> => {
      const before = await directly(bare, STEADY_EVENTS / 2);
      const ofService = await steadyRate(data.links);
      return { ...ofService, direct: [...before, ...(await directly(bare, STEADY_EVENTS / 2))] };
    };
    const ofHealthy = () => steadyRate(healthy);
    // In turns, like bursts. Hung attempts time out after 15 s, and later attempts start: all of
    // that is in three windows.
    for (let turn = 0; turn < TURNS; turn += 1) {
      await measure('none', 'no endpoint hung, between direct POSTs', ofAll);
      await setMode(0, 'hangs');
      await measure('hung', 'one endpoint hung', () => steadyRate(data.links, healthy), WINDOWS);
      await recovered();
    }
    await setMode(0, 'hangs');
    await data.recordMany(BACKLOG, [sick]);
    await measure('behind', 'one hung, and a backlog for it', ofHealthy, WINDOWS);
    // At first every hung attempt fails at once.
    await setMode(0, 'refuses');
    // It starts once.
    await measure('refusing', 'it begins to refuse connections', ofHealthy, 1, 0);
    await measure('refuses', 'it refuses connections', ofHealthy, WINDOWS);
    await recovered();
    await prepareSteadyRate();
    await measure('none', 'no endpoint hung, between direct POSTs', ofAll, WINDOWS);

    const backlog = `${BACKLOG.toLocaleString('en')} events`;
    const direct = noteTimes(
      report,
      `a direct POST at ${RATE}/s, start to received`,
      times.none.map(ofDirectPosts),
    );
    const none = noteTimes(report, `the service at ${RATE}/s, commit to received`, times.none, {
      p99: 10 * direct.p99,
    });
    const goal = { p99: 3 * none.p99 };
    noteTimes(report, 'the 19 others, one endpoint hung', times.hung, goal);
    noteTimes(report, `the 19 others, ${backlog} behind the hung one`, times.behind, goal);
    noteTimes(
      report,
      'the 19 others, its first ten seconds of refusing connections',
      times.refusing,
      goal,
    );
    noteTimes(
      report,
      `the 19 others, ${backlog} for one that refuses connections`,
      times.refuses,
      goal,
    );
    await recovered();
  }
  if (options.wants('retries'))
    await measureRetries({ data, report, setMode: (mode) => setMode(0, mode), link: sick });
  if (options.wants('listening'))
    await measureListening({
      data,
      report,
      rounds: options.rounds,
      endpoints,
      localReceiver: urls[1] ?? '',
      environment,
      start,
    });
} finally {
  for (const server of running.reverse()) await server.stop();
  await data.close();
}
report.end(options.json);

/**
 * Autovacuum and the next checkpoint would clean up in the middle of the figures of one run, and after those of another.
 * After a checkpoint each page is written whole once, and a burst warms up other statements and other code than single
 * events do: hence two windows that do not count.
 */
async function prepareSteadyRate(): Promise<void> {
  report.progress('cleaning up, and warming up for 20 s');
  await data.run('VACUUM');
  await data.run('CHECKPOINT');
  for (let window = 0; window < 2; window += 1) await steadyRate(data.links);
}

/** Resolves when the endpoint responds again and every waiting delivery has arrived. */
async function recovered(): Promise<void> {
  report.progress('the endpoint answers again');
  await setMode(0, 'answers');
  while (!(await data.isDone())) await pause(1_000);
}

async function setMode(endpoint: number, mode: EndpointMode): Promise<void> {
  await ask(endpoints, `/mode?endpoint=${endpoint}&mode=${mode}`);
}

/** From the moment the work exists until the last delivery has arrived. */
async function burst(
  sender: MeasuredProcess,
  begin: () => Promise<number>,
  databaseCpuMs: number[] = [],
): Promise<Sample> {
  await settled();
  await ask(endpoints, '/reset');
  const before = sender.cpuMs();
  const databaseBefore = await data.databaseCpuMs();
  const finished = ask<{ requests: number; different: number; lastAt: number }>(
    endpoints,
    `/until?count=${BURST}`,
  );
  const startedAt = await begin();
  const { requests, different, lastAt } = await finished;
  await settled();
  const after = sender.cpuMs();
  databaseCpuMs.push(((await data.databaseCpuMs()) - databaseBefore) / BURST);
  if (different !== BURST || requests !== BURST)
    throw new Error(`${requests} requests for ${different} of ${BURST} webhooks`);
  return {
    perSecond: BURST / ((lastAt - startedAt) / 1000),
    cpuMs: before === null || after === null ? null : (after - before) / BURST,
  };
}

/** No work of a round remains for the next. */
async function settled(): Promise<void> {
  while (!(await data.isQuiet())) await pause(50);
}

/**
 * The same rate without the service.
 * @returns the milliseconds from the start of each to its arrival
 */
async function directly(sender: MeasuredProcess, count: number): Promise<number[]> {
  await ask(endpoints, '/reset');
  const { began } = await ask<{ began: [string, number][] }>(
    sender,
    `/steady?count=${count}&rate=${RATE}`,
  );
  return waits(new Map(began));
}

/** Events one by one, each in a transaction of its own. Counts those for `counted`. */
async function steadyRate(
  links: readonly LinkRow[],
  counted: readonly LinkRow[] = links,
): Promise<SteadyTimes> {
  await ask(endpoints, '/reset');
  // Called before it starts: the measurement starts when an event is written.
  const made = Array.from({ length: STEADY_EVENTS }, (_, index) =>
    newRow(links[index % links.length]),
  );
  const countedUrls = new Set(counted.map(({ webhook }) => webhook));
  const committed = new Map<string, number>();
  const started = new Map<string, number>();
  const commits: number[] = [];
  const recording: Promise<void>[] = [];
  const start = performance.now();
  for (const [index, event] of made.entries()) {
    const wait = start + (index * 1000) / RATE - performance.now();
    if (wait > 1) await pause(wait);
    recording.push(
      data.recordOne(event).then(({ token, startedAt, committingAt, commitMs }) => {
        commits.push(commitMs);
        if (!countedUrls.has(event.url)) return;
        started.set(token, startedAt);
        committed.set(token, committingAt);
      }),
    );
  }
  await Promise.all(recording);
  await ask(endpoints, `/until?count=${committed.size}`);
  return {
    times: await waits(committed),
    withStatement: await waits(started),
    commits,
    direct: [],
  };
}

/** Each of them must have arrived, exactly once. */
async function waits(started: ReadonlyMap<string, number>): Promise<number[]> {
  return waitsUntil(await ask<[string, number][]>(endpoints, '/arrived'), started);
}
