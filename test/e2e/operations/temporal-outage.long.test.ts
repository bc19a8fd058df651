import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { TemporalServer } from '../../../apps/standalone/src/temporal/temporal-server.js';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
  type CallResponse,
} from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { ErrorBody } from '../../support/actors/response-bodies.js';
import { PatientUser } from '../../support/actors/patient-user.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

/** A step waits this long for Temporal: CONNECT_SOFT_REPLY, and a margin. */
const TEMPORAL_MS = 20_000;

let folder: string;
let server: TemporalServer;
let child: ChildProcess;
let service: Standalone;
let app: AppBackEnd;

async function startTemporal(): Promise<void> {
  child = server.start();
  await eventually(async () => expect(await server.isReady()).toBe(true));
}

async function killTemporal(): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-temporal-'));
  server = new TemporalServer({
    program: process.env['TEMPORAL_CLI_PATH'] ?? 'temporal',
    port: await freePort('127.0.0.1'),
    uiPort: undefined,
    namespace: 'default',
    databaseFile: join(folder, 'temporal.db'),
    log: 'ignore',
  });
  await startTemporal();
  service = await Standalone.start({ servers: 'own', env: { TEMPORAL_ADDRESS: server.address } });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});

afterAll(async () => {
  await service?.dispose();
  await killTemporal();
  rmSync(folder, { recursive: true, force: true });
});

const prompt = <T>(response: Promise<CallResponse<T>>) => soonerThan(TEMPORAL_MS, response);

function expectUnavailable({ status, headers, body }: CallResponse<ErrorBody>): void {
  expect({ status, code: body.error_code }).toEqual({
    status: 503,
    code: 'connect_error.unavailable',
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

/** True once the bank has ended the permission of a link. */
async function isRefusedByBank(linkId: string): Promise<boolean> {
  const [permission] = await new StoredTruth(() => service.info.database_url).rows<{
    ended: boolean;
  }>(
    `SELECT b.ended_at IS NOT NULL AS ended FROM sandbox_bank.connection b JOIN provider_credentials c ON c.reference = b.connection_id JOIN links l ON l.pk = c.link_pk WHERE l.link_id = $1`,
    [linkId],
  );
  if (permission === undefined) throw new Error(`the bank has no permission for ${linkId}`);
  return permission.ended;
}

describe('While Temporal is down', () => {
  let connected: string;
  let unneeded: string;
  let broken: string;
  let opened: ConnectVisit;
  let openedToken: string;
  let succeeded: ConnectVisit;
  let exchanged: string;

  beforeAll(async () => {
    connected = (await linkInstantBank(app)).linkId;
    unneeded = (await linkInstantBank(app)).linkId;
    broken = (await linkInstantBank(app)).linkId;
    await app.untilRefreshed(connected, 'transactions');
    ({ link_session_token: openedToken } = await app.createSession());
    opened = await ConnectVisit.open(app.baseUrl, openedToken);
    succeeded = await ConnectVisit.open(
      app.baseUrl,
      (await app.createSession()).link_session_token,
    );
    await succeeded.select();
    await killTemporal();
  });

  it('tokens and sessions are created', async () => {
    expect((await prompt(app.fetchToken())).status).toBe(201);
    expect(
      (await prompt(app.call('POST', '/link-session', { body: { customer_user: { id: 'u' } } })))
        .status,
    ).toBe(201);
    expect((await prompt(app.call('GET', '/.well-known/jwks.json'))).status).toBe(200);
  });

  it('every read works', async () => {
    for (const path of [
      '/links',
      `/links/${connected}`,
      `/links/${connected}/accounts`,
      `/links/${connected}/transactions`,
      `/links/${connected}/transactions/sync`,
    ]) {
      expect({ path, status: (await prompt(app.call('GET', path))).status }).toEqual({
        path,
        status: 200,
      });
    }
  });

  it('a finished session is exchanged', async () => {
    const { exchangeable_token: token } = (await prompt(succeeded.finishCall())).body;
    const response = await prompt(app.exchange(token));
    expect(response).toMatchObject({ status: 201, body: { link: { state: 'connected' } } });
    exchanged = response.body.link_id;
  });

  it('a link is deleted', async () => {
    expect((await prompt(app.call('DELETE', `/links/${unneeded}`))).status).toBe(204);
    expect((await app.link(unneeded)).state).toBe('deleted');
  });

  it('a link is reset before its bank is notified', async () => {
    expect(await prompt(app.call('POST', `/links/${broken}/reset`))).toMatchObject({
      status: 200,
      body: { state: 'error', error_code: 'auth_expired' },
    });
    expect(await isRefusedByBank(broken)).toBe(false);
  });

  it('the current step can be read, and institutions searched', async () => {
    expect(await prompt(opened.call('GET', '/session'))).toMatchObject({
      status: 200,
      body: { seq: 1, step: { kind: 'select_institution' } },
    });
    expect(await prompt(opened.call('GET', '/institutions'))).toMatchObject({ status: 200 });
  });

  it('opening and steps return 503 with Retry-After and change nothing', async () => {
    expectUnavailable(await prompt(ConnectVisit.openCall(app.baseUrl, openedToken)));
    expectUnavailable(
      await prompt(opened.submit({ kind: 'select_institution', institution_id: INSTANT_BANK })),
    );
    expectUnavailable(
      await prompt(
        opened.call('POST', '/session/exit', {
          request_id: crypto.randomUUID(),
          reason: 'user_closed',
        }),
      ),
    );
    expect((await opened.poll()).seq).toBe(1);
  });

  it('the health check reports the outage, and the service stays ready', async () => {
    const { status, body } = await app.call<{ parts: Record<string, string> }>(
      'GET',
      '/health/ready',
    );
    expect(status).toBe(200);
    expect(body.parts).toMatchObject({ database: 'up', temporal: 'down' });
  });

  it('no data is lost, and everything continues once Temporal is available again', async () => {
    await startTemporal();
    const user = await PatientUser.arrive(app, openedToken);
    expect((await user.untilSuccess()).step.kind).toBe('success');
    await expectStatus(201, app.exchange(await user.finish()));
    await app.untilRefreshed(exchanged, 'transactions');
    await eventually(async () => expect(await isRefusedByBank(broken)).toBe(true));
  });
});
