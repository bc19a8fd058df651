import { Client, Connection } from '@temporalio/client';
import { linkSessionWorkflowId } from '../../../workflows/session/session.contract.js';
import { productRefreshWorkflowId } from '../../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, SANDBOX_LINKS_QUEUE } from '../../../workflows/task-queues.js';
import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, ConnectVisit } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { operate } from '../../support/actors/operator.js';
import { SandboxCaller, type WorldBody } from '../../support/actors/sandbox-caller.js';
import { service, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';
import type { StandaloneApp } from '../../support/services/standalone.js';

/** The defaults of SANDBOX_WORLDS_PER_APP and SANDBOX_DAYS_AT_WORK. */
const WORLDS = 50;
const DAYS_AT_WORK = 732;

serviceOfFile();

let other: SandboxCaller;
let app: AppBackEnd;
let sandbox: SandboxCaller;
let appId: string;

beforeAll(async () => {
  const created = () =>
    operate<StandaloneApp>(service.dataDir, 'apps', 'create', '--name', 'Worlds');
  const own = await created();
  appId = own.app_id;
  app = new AppBackEnd(service.info.base_url, own.sandbox);
  sandbox = new SandboxCaller(app);
  other = new SandboxCaller(new AppBackEnd(service.info.base_url, (await created()).sandbox));
});

const refused = { status: 429, code: 'api_error.rate_limit_exceeded' };

describe('The worlds of an app', () => {
  it('are limited by its quota, however many are created at once, and a deleted one frees its place', async () => {
    /** On a busy computer, some of these many calls wait too long for the database of their app. */
    const create = async (): Promise<ApiResponse> => {
      const response = await sandbox.send('POST', '/sandbox/worlds', {});
      return response.text.includes('waiting for the database') ? create() : response;
    };
    const responses = await Promise.all(Array.from({ length: WORLDS + 10 }, create));
    const made = responses.filter(({ status }) => status === 200);
    expect(made).toHaveLength(WORLDS);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expect(errorOf(response)).toMatchObject(refused);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await other.send('POST', '/sandbox/worlds', {})).status).toBe(200);
    for (const { body } of made)
      await sandbox.ask('DELETE', `/sandbox/worlds/${(body as WorldBody).world_id}`);
    await sandbox.world();
  });

  it('advance by no more than the quota of days at the same time', async () => {
    const [first, second, third] = [
      await sandbox.world(),
      await sandbox.world(),
      await sandbox.world(),
    ];
    const advancing = (world: WorldBody, days: number | null) =>
      truth.rows(
        "UPDATE sandbox_worlds SET advancing_to = now + $2::int * interval '1 day' WHERE world_id = $1",
        [world.world_id, days],
      );
    await advancing(first, DAYS_AT_WORK / 2);
    await advancing(second, DAYS_AT_WORK / 2 - 1);
    const tooMany = await sandbox.send('POST', `/sandbox/worlds/${third.world_id}/advance`, {
      by: 'P2D',
    });
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

describe('The workflows of a session and its link', () => {
  it('run on the task queue of their environment, so that Sandbox uses no slot of Live', async () => {
    const origin = 'https://app.example';
    await operate(service.dataDir, 'apps', 'update', service.app.app_id, '--page-origin', origin);
    const live = await new AppBackEnd(service.info.base_url, service.app.live).createSession();
    await eventually(() =>
      ConnectVisit.open(service.info.base_url, live.link_session_token, { origin }),
    );
    const { linkId } = await linkInstantBank(app);

    const { temporal_address: address, temporal_namespace: namespace } = service.info;
    const connection = await Connection.connect({ address });
    const { workflow } = new Client({ connection, namespace });
    const queueOf = async (workflowId: string) =>
      (await workflow.getHandle(workflowId).describe()).taskQueue;
    const sessionOf = async (appId: string) => {
      const [session] = await truth.rows<{ session_id: string }>(
        "SELECT session_id FROM link_sessions WHERE app_id = $1 AND began_as = 'link' ORDER BY created_at DESC LIMIT 1",
        [appId],
      );
      return linkSessionWorkflowId(session?.session_id ?? '');
    };
    expect(await queueOf(await sessionOf(service.app.app_id))).toBe(LINKS_QUEUE);
    expect(await queueOf(await sessionOf(appId))).toBe(SANDBOX_LINKS_QUEUE);
    expect(await eventually(() => queueOf(productRefreshWorkflowId(linkId)))).toBe(
      SANDBOX_LINKS_QUEUE,
    );
    await connection.close();
  });
});
