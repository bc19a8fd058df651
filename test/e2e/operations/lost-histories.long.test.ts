import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
import { gateToBank } from '../../support/services/gated-bank.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../support/actors/link-journey.js';
import { PatientUser } from '../../support/actors/patient-user.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import type { TcpGate } from '../../support/services/tcp-gate.js';

const SELECT = { kind: 'select_institution', institution_id: INSTANT_BANK };

let gate: TcpGate;
let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;
let receiver: WebhookReceiver;

interface StartedSession {
  token: string;
  sessionId: string;
}

async function begin(): Promise<StartedSession & { visit: ConnectVisit }> {
  const { link_session_token: token } = await app.createSession({ webhook: receiver.url() });
  const visit = await ConnectVisit.open(app.baseUrl, token);
  return { token, visit, sessionId: visit.view.session_id };
}

async function succeed(): Promise<StartedSession & { visit: ConnectVisit }> {
  const session = await begin();
  await session.visit.select();
  return session;
}

const sessionState = async ({ sessionId }: StartedSession) =>
  (
    await truth.rows<{ state: string }>('SELECT state FROM link_sessions WHERE session_id = $1', [
      sessionId,
    ])
  )[0]?.state;

/** Simulates that this much time has passed unobserved. */
async function age({ sessionId }: StartedSession): Promise<void> {
  await truth.rows(
    "UPDATE link_sessions SET expires_at = now() - interval '2 minutes' WHERE session_id = $1",
    [sessionId],
  );
  await truth.rows(
    "UPDATE links SET exchange_expires_at = now() - interval '2 minutes' WHERE pk = (SELECT link_pk FROM link_sessions WHERE session_id = $1)",
    [sessionId],
  );
}

describe('After the loss of all workflow histories', () => {
  let overdue: Record<'opened' | 'logging in' | 'succeeded' | 'finished', StartedSession>;
  let alive: Record<'opened' | 'logging in' | 'finished', StartedSession>;
  let keptToken: string;
  let fetching: { linkId: string };

  beforeAll(async () => {
    const bank = await gateToBank();
    gate = bank.gate;
    service = await Standalone.start({
      servers: 'own',
      env: {
        ...bank.env,
        API_PORT: String(await freePort('127.0.0.1')),
        FETCH_RETRY_FOR: '5m',
        RATE_LIMIT_API: 'off',
        WEBHOOK_TIMEOUT: '5s',
        WEBHOOK_ATTEMPTS_AT: '0s,1s,90s,120s',
      },
    });
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    truth = new StoredTruth(() => service.info.database_url);
    receiver = await WebhookReceiver.start({ verify: service.info.base_url });
    receiver.respondWith({ status: 500 });

    const finished = await succeed();
    await finished.visit.finish();
    const kept = await succeed();
    keptToken = (await kept.visit.finish()).exchangeable_token;
    const succeeded = await succeed();
    const fetched = await begin();
    await fetched.visit.select();
    gate.set('hang');
    fetching = await expectStatus(
      201,
      app.exchange((await fetched.visit.finish()).exchangeable_token),
    ).then(({ link_id: linkId }) => ({ linkId }));
    const [overdueLogin, aliveLogin] = [await begin(), await begin()];
    for (const login of [overdueLogin, aliveLogin]) {
      login.visit.submit(SELECT).catch(() => undefined);
      await eventually(async () =>
        expect(await truth.linkOfSession(login.sessionId)).toMatchObject({ state: 'connecting' }),
      );
    }
    overdue = { opened: await begin(), 'logging in': overdueLogin, succeeded, finished };
    alive = { opened: await begin(), 'logging in': aliveLogin, finished: kept };

    for (const session of Object.values(overdue)) await age(session);
    await service.killAll();
    rmSync(join(service.dataDir, 'temporal'), { recursive: true });
    gate.set('cut');
    gate.set('open');
    receiver.respondWith({ status: 204 });
    await service.start();
  });

  afterAll(async () => {
    await receiver?.stop();
    await service?.dispose();
    await gate?.close();
  });

  it('sessions and links do not outlive their limits', async () => {
    await eventually(async () => {
      for (const [moment, session] of Object.entries(overdue))
        expect({ moment, state: await sessionState(session) }).toEqual({ moment, state: 'ended' });
    });
    expect(await truth.linkOfSession(overdue.opened.sessionId)).toBeNull();
    for (const moment of ['logging in', 'succeeded', 'finished'] as const) {
      const link = await truth.linkOfSession(overdue[moment].sessionId);
      expect({ moment, ...link }).toMatchObject({
        moment,
        state: 'error',
        error_code: 'user_error',
      });
      const expected =
        moment === 'logging in'
          ? ['state connecting', 'state error/user_error']
          : ['state connecting', 'state awaiting_token_exchange', 'state error/user_error'];
      expect(await truth.story(link?.link_id ?? '')).toEqual(expected);
    }
  });

  it('every session with time left continues from its row', async () => {
    for (const moment of ['opened', 'logging in'] as const) {
      const user = await PatientUser.arrive(app, alive[moment].token);
      expect((await user.untilSuccess()).step.kind).toBe('success');
      expect((await app.exchange(await user.finish())).status).toBe(201);
    }
    expect((await app.exchange(keptToken)).status).toBe(201);
    expect(await truth.linkOfSession(alive.finished.sessionId)).toMatchObject({
      state: 'connected',
    });
  });

  it('products whose fetch was in progress are fetched', async () => {
    // This is the state that the sweeper would find a minute later. Its first round runs at the
    // start.
    await truth.rows(
      "UPDATE link_products SET state_changed_at = now() - interval '2 minutes' WHERE state IN ('pending', 'in_progress')",
    );
    const pid = service.kill('worker');
    await service.untilRestarted('worker', pid);
    await app.untilRefreshed(fetching.linkId, 'transactions');
    expect(
      (await truth.story(fetching.linkId)).filter((event) => event === 'transactions completed'),
    ).toHaveLength(1);
  });

  it('webhooks whose workflows were lost are delivered', async () => {
    const lost = await truth.rows<{ delivery_id: string }>(
      "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '2 minutes' WHERE status = 'pending' AND attempts > 0 RETURNING delivery_id",
    );
    expect(lost.length).toBeGreaterThan(0);
    const pid = service.kill('worker');
    await service.untilRestarted('worker', pid);
    await eventually(async () => {
      expect(
        await truth.rows(
          "SELECT delivery_id, status FROM webhook_deliveries WHERE status <> 'delivered'",
        ),
      ).toEqual([]);
    });
  });
});
