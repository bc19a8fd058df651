import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, call, expectStatus } from '../../support/actors/link-journey.js';
import { operate } from '../../support/actors/operator.js';
import { RunningSample } from '../../support/receivers/running-sample.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { createVerifier, WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

/** Long enough to send with the old key after a rotation, and to send with both before the old one is gone. */
const LEAD_MS = 20_000;
const OVERLAP_MS = 30_000;
const DAY_MS = 86_400_000;

interface ListedKey {
  kid: string;
  created_at: string;
  retired_at: string | null;
}

let service: Standalone;
let app: AppBackEnd;
let sandbox: SandboxCaller;
let truth: StoredTruth;
let receiver: WebhookReceiver;
const samples: RunningSample[] = [];

beforeAll(async () => {
  service = await Standalone.start({
    env: {
      SIGNING_KEY_LEAD: `${LEAD_MS}ms`,
      SIGNING_KEY_OVERLAP: `${OVERLAP_MS}ms`,
      WEBHOOK_EVENT_RETENTION: '30d',
      SWEEP_INTERVAL: '1s',
      RATE_LIMIT_API: 'off',
    },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  sandbox = new SandboxCaller(app);
  truth = new StoredTruth(() => service.info.database_url);
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  samples.forEach((sample) => sample.stop());
  await receiver?.stop();
  await service?.dispose();
});

const rotate = (...options: string[]) =>
  operate<ListedKey[]>(service.dataDir, 'keys', 'rotate', ...options);
const published = () =>
  expectStatus<JSONWebKeySet>(200, call(service.info.base_url, 'GET', '/.well-known/jwks.json'));
const kidsOf = ({ keys }: JSONWebKeySet) => keys.map(({ kid }) => kid);
const linkTo = async (webhook: string) => (await sandbox.link({ webhook })).link_id;

/** Sends a test event. @returns its token and key */
async function send(linkId: string): Promise<{ token: string; key: string }> {
  const key = randomUUID();
  const { delivery_token: token } = await expectStatus(
    200,
    app.call<{ delivery_token: string }>('POST', `/webhooks/test/link/${linkId}`, {
      body: { webhook_event: 'link.state_changed', webhook_idempotency_key: key },
    }),
  );
  return { token, key };
}

/** The Node sample, and a link that notifies it. */
async function startSample(): Promise<{ linkId: string; accepts: () => Promise<void> }> {
  const sample = await RunningSample.startNode({ TRIBUTARY_URL: service.info.base_url });
  samples.push(sample);
  const linkId = await linkTo(sample.url);
  return {
    linkId,
    accepts: async () =>
      sample.until(new RegExp(`event link.state_changed ${linkId} ${(await send(linkId)).key}`)),
  };
}

/**
 * Sends one event to the receiver and verifies it with the set published at that time. Returns the
 * key that signed it, and the time.
 */
async function deliver(linkId: string): Promise<{ kid: string; signedAt: number; set: string[] }> {
  const { token } = await send(linkId);
  const isIt = ({ headers }: (typeof receiver.received)[number]) =>
    headers['service-delivery-token'] === token;
  const request = (await receiver.until((received) => received.some(isIt))).find(isIt);
  if (request === undefined) throw new Error('nothing was received');
  const set = await published();
  const [signature = ''] = request.signatures;
  await createVerifier(service.info.base_url, createLocalJWKSet(set))(request.rawBody, signature);
  return {
    kid: decodeProtectedHeader(signature).kid ?? '',
    signedAt: (decodeJwt(signature).iat ?? 0) * 1_000,
    set: kidsOf(set).map(String),
  };
}

const attemptsOf = (linkId: string) =>
  truth.rows<{ status: string; attempts: number }>(
    'SELECT DISTINCT d.status, d.attempts FROM webhook_deliveries d JOIN webhook_events e ON e.pk = d.event_pk WHERE e.link_id = $1',
    [linkId],
  );
const sealed = async (kid: string) =>
  (
    await truth.rows('SELECT kid FROM signing_keys WHERE kid = $1 AND sealed_private IS NOT NULL', [
      kid,
    ])
  ).length > 0;

describe('Key rotation on a running service', () => {
  it('publishes a key before it signs and keeps its predecessor for the overlap, unnoticed by receivers', async () => {
    const linkId = await linkTo(receiver.url());
    const sample = await startSample();
    await sample.accepts();
    const { kid: old, set } = await deliver(linkId);
    expect(set).toEqual([old]);

    const [next, previous] = await rotate();
    if (next === undefined || previous === undefined) throw new Error('two keys were expected');
    // The line appears after the commit that the command waits for.
    await eventually(() =>
      expect(service.logs().includes('"msg":"audit.signing_key_rotated"')).toBe(true),
    );
    const signsFrom = Date.parse(next.created_at) + LEAD_MS;
    expect(next).toMatchObject({ kid: expect.stringMatching(/^[\w-]{43}$/), retired_at: null });
    expect(previous).toMatchObject({
      kid: old,
      retired_at: new Date(signsFrom + OVERLAP_MS).toISOString(),
    });

    const deliveries: Awaited<ReturnType<typeof deliver>>[] = [];
    await eventually(
      async () => {
        await sample.accepts();
        deliveries.push(await deliver(linkId));
        if (Date.now() < signsFrom + 1_500) throw new Error('the new key has only started to sign');
      },
      { every: 250 },
    );
    // A receiver could have fetched the new key during the whole lead, and can look up the old one
    // afterwards.
    expect(deliveries.map(({ set: known }) => [...known].sort())).toEqual(
      deliveries.map(() => [old, next.kid].sort()),
    );
    expect(new Set(deliveries.map(({ kid }) => kid))).toEqual(new Set([old, next.kid]));
    for (const {
      kid,
      signedAt,
      set: [current],
    } of deliveries) {
      // Whole seconds: in the second of the change, either key may be used.
      if (signedAt + 1_000 <= signsFrom) expect(kid).toBe(old);
      if (signedAt >= signsFrom)
        expect({ kid, current }).toEqual({ kid: next.kid, current: next.kid });
    }

    await eventually(async () => expect(kidsOf(await published())).toEqual([next.kid]));
    expect(Date.now()).toBeGreaterThanOrEqual(signsFrom + OVERLAP_MS);
    await eventually(async () =>
      expect({ oldIsSealed: await sealed(old), nextIsSealed: await sealed(next.kid) }).toEqual({
        oldIsSealed: false,
        nextIsSealed: true,
      }),
    );
    await sample.accepts();
    await eventually(async () =>
      expect(await attemptsOf(sample.linkId)).toEqual([{ status: 'delivered', attempts: 1 }]),
    );
  });

  it('with --revoke publishes and uses the new key at once, removes the other, and receivers fetch the set again', async () => {
    const linkId = await linkTo(receiver.url());
    const sample = await startSample();
    await sample.accepts();
    const [next, revoked] = await rotate('--revoke');
    expect(kidsOf(await published())).toEqual([next?.kid]);
    expect(revoked).toMatchObject({ retired_at: next?.created_at });
    expect(await sealed(revoked?.kid ?? '')).toBe(false);
    // The worker looks for another key once a second.
    await eventually(async () =>
      expect(await deliver(linkId)).toMatchObject({ kid: next?.kid, set: [next?.kid] }),
    );
    await sample.accepts();
    await eventually(async () =>
      expect(await attemptsOf(sample.linkId)).toEqual([{ status: 'delivered', attempts: 1 }]),
    );
  });
});

describe('The event log of a running service', () => {
  it('is kept for WEBHOOK_EVENT_RETENTION, and longer only while a delivery is open', async () => {
    const linkId = await linkTo(receiver.url());
    const ids = await eventually(async () => {
      const { events } = await app.get<{ events: { event_id: string; status: string }[] }>(
        `/webhooks/events?link_id=${linkId}`,
      );
      expect(events.length).toBeGreaterThan(2);
      expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['delivered']));
      return events.map(({ event_id: id }) => id);
    });
    const [old = '', open = '', young = ''] = ids;
    const age = async (eventId: string, ms: number) =>
      truth.rows('UPDATE webhook_events SET created_at = $2 WHERE event_id = $1', [
        eventId,
        new Date(Date.now() - ms),
      ]);
    const deliveriesOf = (eventId: string) =>
      truth.rows<{ pk: string }>(
        'SELECT d.pk FROM webhook_deliveries d JOIN webhook_events e ON e.pk = d.event_pk WHERE e.event_id = $1',
        [eventId],
      );
    const attemptsOf = (deliveries: { pk: string }[]) =>
      truth.rows(
        'SELECT jsonb_array_length(history) AS attempts FROM webhook_deliveries WHERE pk = ANY($1::bigint[])',
        [deliveries.map(({ pk }) => pk)],
      );
    const [ofOld, ofOpen] = [await deliveriesOf(old), await deliveriesOf(open)];
    expect({ ofOld: await attemptsOf(ofOld), ofOpen: await attemptsOf(ofOpen) }).toEqual({
      ofOld: [{ attempts: 1 }],
      ofOpen: [{ attempts: 1 }],
    });
    await truth.rows(
      "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() + interval '1 hour' WHERE pk = ANY($1::bigint[])",
      [ofOpen.map(({ pk }) => pk)],
    );
    await age(open, 40 * DAY_MS);
    await age(young, 29.9 * DAY_MS);
    await age(old, 30 * DAY_MS + 1_000);

    const gone = (eventId: string) =>
      eventually(async () =>
        expect(await app.call('GET', `/webhooks/events/${eventId}`)).toMatchObject({
          status: 404,
          body: { error_code: 'webhook_error.not_found' },
        }),
      );
    await gone(old);
    expect(await attemptsOf(ofOld)).toEqual([]);
    expect(
      (
        await app.get<{ events: { event_id: string }[] }>(`/webhooks/events?link_id=${linkId}`)
      ).events.map(({ event_id: id }) => id),
    ).toEqual(expect.arrayContaining([open, young]));
    await truth.rows(
      "UPDATE webhook_deliveries SET status = 'exhausted', next_attempt_at = NULL WHERE pk = ANY($1::bigint[])",
      [ofOpen.map(({ pk }) => pk)],
    );
    await gone(open);
    expect(await attemptsOf(ofOpen)).toEqual([]);
    expect(await deliveriesOf(young)).toHaveLength(1);
    // Counted after the commit.
    await eventually(async () =>
      expect(await (await fetch(service.info.worker_metrics_url)).text()).toMatch(
        /tributary_swept_rows_total\{task="webhook_events"\} 2/,
      ),
    );
  });
});

describe('The webhooks process', () => {
  it('is notified of first attempts', async () => {
    await eventually(async () => {
      const listening = await truth.rows<{ query: string }>(
        "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tributary-webhooks' AND query LIKE 'LISTEN %'",
      );
      expect(listening.map(({ query }) => query)).toEqual([
        expect.stringMatching(/^LISTEN "webhook_delivery_[0-9a-f]{32}"$/),
      ]);
    });
  });
});
