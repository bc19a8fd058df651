import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { call, placeBehindProxy, proxy, startBackend, useBackends } from './support/proxies.js';
import { SHIPPED_PROXIES } from './support/shipped-proxies.js';

useBackends();

/** Texts over which an expression that looks for a path inside a path goes back and forth. */
const SEPARATORS = [
  ...['/', '/.', '/..', '/./', '/../', '/.;', '/..;', '/;', '/%2f', '/%2e', '/.%3b'],
  ...['/x', '/x/..', '/.health', '/health-', '/metrics.'],
];
const REQUESTS = 20;
const MS_PER_TICK = 10;

/** Of a process and the workers that it started. */
function processorMs(pid: number): number {
  const [utime = 0, stime = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const pids = children === '' ? [] : children.split(' ').map(Number);
  return pids.map(processorMs).reduce((sum, ms) => sum + ms, (utime + stime) * MS_PER_TICK);
}

/** The mean of twenty requests, as processor time is counted in steps of ten milliseconds. */
async function processorMsPerRequest(path: string, agent: Agent): Promise<number> {
  const pid = proxy?.pid ?? 0;
  const before = processorMs(pid);
  for (let count = 0; count < REQUESTS; count += 1) await call(path, { agent });
  return (processorMs(pid) - before) / REQUESTS;
}

for (const { name, start, isPresent } of SHIPPED_PROXIES)
  (isPresent ? describe : describe.skip)(`${name} (needs its program and openssl)`, () => {
    beforeEach(async () => {
      placeBehindProxy(await startBackend(), await startBackend());
      await start();
    });

    it.each([3_900, 7_900])(
      'needs less than 5 ms of its processor for a path of %d bytes, whatever repeats in it',
      async (bytes) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const slow: [string, number][] = [];
        for (const separator of SEPARATORS) {
          const path = `/${separator.repeat(bytes / separator.length)}`;
          const ms = await processorMsPerRequest(path, agent);
          if (ms >= 5) slow.push([separator, ms]);
        }
        agent.destroy();
        expect(slow).toEqual([]);
      },
    );

    it('refuses request lines of more than 4 kB, and forwards shorter ones', async () => {
      const statusOf = async (length: number) =>
        (await call(`/links?cursor=${'x'.repeat(length)}`)).status;
      expect([await statusOf(4_000), await statusOf(4_100)]).toEqual([200, 414]);
    });
  });
