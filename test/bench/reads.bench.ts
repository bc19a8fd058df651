import { randomBytes } from 'node:crypto';
import { freePort } from '../../apps/standalone/src/ports.js';
import { TENANT } from '../support/fixtures/stored-link.js';
import { httpSubject } from './support/http-subject.js';
import { startMeasured, type MeasuredProcess } from './support/measured-process.js';
import { readOptions } from './support/options.js';
import { storeReadData } from './support/read-data.js';
import { Report } from './support/report.js';
import { interleave, type Subject } from './support/rounds.js';

// The overhead of the API over its statements: token, checks, limits, log, metrics, request id,
// headers and cursor. One API process is compared with a bare server and a typical one, in turns.
const BASE_URL = 'http://127.0.0.1:4000';
const READS = [
  {
    name: 'sync page of 500 rows',
    bare: 'sync',
    path: (linkId: string) => `/links/${linkId}/transactions/sync?size=500`,
    goal: 0.68,
  },
  { name: 'one link', bare: 'link', path: (linkId: string) => `/links/${linkId}`, goal: 0.37 },
  {
    name: 'accounts',
    bare: 'accounts',
    path: (linkId: string) => `/links/${linkId}/accounts`,
    goal: 0.46,
  },
  {
    name: 'identity',
    bare: 'identity',
    path: (linkId: string) => `/links/${linkId}/identity`,
    goal: 0.5,
  },
];

const options = readOptions();
const report = new Report('reads');
const data = await storeReadData();
const servers: MeasuredProcess[] = [];
try {
  const env = { DATABASE_URL: data.databaseUrl };
  const start = async (args: string[], more: Record<string, string> = {}) => {
    const server = await startMeasured(args, { ...env, ...more });
    servers.push(server);
    return server;
  };
  const api = await start(['dist/apps/api/src/main.js'], {
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    BASE_URL,
    API_PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: String(await freePort('127.0.0.1')),
    RATE_LIMIT_API: '1000000/s:1000000',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
  });
  const swc = ['--import', '@swc-node/register/esm-register'];
  const bare = await start([...swc, 'test/bench/servers/bare-reads.ts'], {
    BASE_URL,
    TENANT_APP: TENANT.appId,
    TENANT_ENVIRONMENT: TENANT.environment,
  });
  const usual = await start([...swc, 'test/bench/servers/usual-reads.ts']);
  const headers = { authorization: `Bearer ${data.accessToken}` };

  for (const { name, bare: bareName, path, goal } of READS) {
    const [ours, limit] = [path(data.link.linkId), `/${bareName}/${data.link.linkId}`];
    await expectEqualAnswers(`${api.url}${ours}`, headers, `${bare.url}${limit}`);
    const subjects: { bare: Subject; api: Subject; usual?: Subject } = {
      bare: httpSubject(bare, limit),
      api: httpSubject(api, ours, headers),
    };
    if (bareName === 'sync') subjects.usual = httpSubject(usual, limit);
    // The first round warms each subject up.
    await interleave(subjects, 1);
    const samples = await interleave(subjects, options.rounds);
    const against = { limit: 'bare node:http + pg', limitSamples: samples.bare };
    report.add({ what: `${name}, bare`, ...against, samples: samples.bare });
    report.add({ what: `${name}, API`, goal, ...against, samples: samples.api });
    if (samples.usual !== undefined)
      report.add({ what: `${name}, Nest and Prisma as usual`, ...against, samples: samples.usual });
  }
  report.end(options.json);
} finally {
  for (const server of servers) await server.stop();
  await data.storage.close();
}

/**
 * Both must return the same data, otherwise they did different work. The bare server writes no
 * real cursor.
 */
async function expectEqualAnswers(
  ours: string,
  headers: Record<string, string>,
  limit: string,
): Promise<void> {
  const [answer, expected] = await Promise.all([
    fetch(ours, { headers }).then((response) => response.text()),
    fetch(limit).then((response) => response.text()),
  ]);
  const withoutCursor = (text: string) =>
    text.replace(/"cursor":\{"next":"[^"]*"\}/, '"cursor":{}');
  if (withoutCursor(answer) !== withoutCursor(expected))
    throw new Error(`different responses:\n${answer.slice(0, 400)}\n${expected.slice(0, 400)}`);
}
