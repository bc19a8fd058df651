import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../support/api-client.js';
import { AppBackEnd } from '../support/link-journey.js';
import { operate } from '../support/operator.js';
import { SandboxCaller, type WorldBody } from '../support/sandbox-caller.js';
import { service, shareSandboxService, truth } from '../support/sandbox-service.js';
import type { StandaloneApp } from '../support/standalone.js';

/** The defaults of SANDBOX_WORLDS_PER_APP and SANDBOX_DAYS_AT_WORK. */
const WORLDS = 50;
const DAYS_AT_WORK = 732;

shareSandboxService();

let other: SandboxCaller;
let app: AppBackEnd;
let sandbox: SandboxCaller;

beforeAll(async () => {
  const created = () => operate<StandaloneApp>(service.dataDir, 'app', 'create', '--name', 'Worlds');
  app = new AppBackEnd(service.info.base_url, (await created()).sandbox);
  sandbox = new SandboxCaller(app);
  other = new SandboxCaller(new AppBackEnd(service.info.base_url, (await created()).sandbox));
});

const refused = { status: 429, code: 'api_error.rate_limit_exceeded' };

describe('the worlds of an app', () => {
  it('are no more than its quota, however many are made at once, and a deleted one makes room', async () => {
    const answers = await Promise.all(Array.from({ length: WORLDS + 10 }, () => sandbox.send('POST', '/sandbox/worlds', {})));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(WORLDS);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(errorOf(answer)).toMatchObject(refused);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await other.send('POST', '/sandbox/worlds', {})).status).toBe(200);
    for (const { body } of made) await sandbox.ask('DELETE', `/sandbox/worlds/${(body as WorldBody).world_id}`);
    await sandbox.world();
  });

  it('are advanced by no more than the quota of days at the same time', async () => {
    const [first, second, third] = [await sandbox.world(), await sandbox.world(), await sandbox.world()];
    const advancing = (world: WorldBody, days: number | null) => truth.rows(
      'UPDATE sandbox_worlds SET advancing_to = now + $2::int * interval \'1 day\' WHERE world_id = $1', [world.world_id, days]);
    await advancing(first, DAYS_AT_WORK / 2);
    await advancing(second, DAYS_AT_WORK / 2 - 1);
    const tooMany = await sandbox.send('POST', `/sandbox/worlds/${third.world_id}/advance`, { by: 'P2D' });
    expect(errorOf(tooMany)).toMatchObject(refused);
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await sandbox.ask('GET', `/sandbox/worlds/${third.world_id}`)).toEqual(third);
    expect(await sandbox.advance(third.world_id, { by: 'P1D' })).toMatchObject({ settled: true });
    // Joining an advance adds no days to it.
    expect(await sandbox.advance(second.world_id, { by: 'P1D' })).toMatchObject({ settled: true });
    await advancing(first, null);
    expect(await sandbox.advance(third.world_id, { by: 'P366D' })).toMatchObject({ settled: true });
  });
});
