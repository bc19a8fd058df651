import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/assertions/eventually.js';
import { ClusterStage } from '../support/cluster/cluster-stage.js';

const BALANCER_LATE_MS = 2_000;
/** Longer than in production, because on a busy computer the balancer itself needs seconds. */
const STOP_DELAY = '10s';
/** For a computer that may be busy. */
const WITHIN_MS = 900_000;
const NORMAL_WITHIN_MS = 30_000;
/**
 * The number of users who have linked a bank before a part is removed, while others are in the
 * middle of it.
 */
const USERS_BEFORE = 3;

let stage: ClusterStage;

beforeAll(async () => {
  stage = await ClusterStage.start({
    balancerLateMs: BALANCER_LATE_MS,
    env: { STOP_DELAY },
  });
});

afterAll(() => stage?.stop());

describe('On a Temporal cluster with TLS and a PostgreSQL with TLS,', () => {
  it(
    'a rolling restart of two APIs and two workers behind a balancer that is 2 s late fails no request and loses nothing',
    async () => {
      expect(new Set(await stage.rollUnderLoad())).toEqual(new Set([1]));
    },
    WITHIN_MS,
  );

  it.each([
    { role: 'history-1', awayMs: 0 },
    { role: 'matching', awayMs: 5_000 },
    { role: 'frontend', awayMs: 5_000 },
    { role: 'worker', awayMs: 0 },
  ] as const)(
    'kill -9 of the $role of Temporal does not affect reads, loses no session and no event, and the outage ends within 30 s',
    async ({ role, awayMs }) => {
      const process = stage.cluster.temporal.processes[role];
      const traffic = stage.traffic();
      await eventually(() => expect(traffic.linked.length).toBeGreaterThanOrEqual(USERS_BEFORE));
      await process.kill();
      await pause(awayMs);
      await process.start();
      const backAt = Date.now();
      await stage.untilNormal();
      const normalAfterMs = Date.now() - backAt;
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      const arrivals = await stage.expectNothingLost(traffic.linked);
      expect(Math.min(...arrivals)).toBe(1);
      expect(normalAfterMs).toBeLessThan(NORMAL_WITHIN_MS);
    },
  );
});
