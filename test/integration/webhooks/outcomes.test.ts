import { decodeJwt } from 'jose';
import {
  WebhookReceiver,
  type ReceiverResponse,
} from '../../support/receivers/webhook-receiver.js';
import { DEFAULT_SCHEDULE, WebhookService } from './webhook-service.js';

describe('The outcome of an attempt', () => {
  let service: WebhookService;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    // In the middle of the time to the second attempt: far from both the start and the end, and
    // from the duration of a response.
    service = await WebhookService.open({ timeoutMs: 10_000 });
    receiver = await WebhookReceiver.start({ verify: await service.verifier() });
  });
  afterEach(async () => {
    receiver.releaseHeld();
    await service.endOpenDeliveries();
  });
  afterAll(async () => {
    await receiver.stop();
    await service.close();
  });

  const recordFor = async (answer: ReceiverResponse) => {
    receiver.received.length = 0;
    receiver.respondWith(answer);
    return service.record(await service.addLink(receiver.url()));
  };

  it.each<[string, ReceiverResponse]>([
    ['200', { status: 200, body: 'thanks' }],
    ['201', { status: 201 }],
    ['204', { status: 204 }],
    ['299', { status: 299 }],
    ['200 whose body never ends', 'hang_in_body'],
    ['200 with more body than is read', { status: 200, body: Buffer.alloc(200_000, 'x') }],
  ])('is a delivery for %s', async (_name, answer) => {
    const delivery = await recordFor(answer);
    expect(await service.attempt(delivery)).toEqual({ end: { status: 'delivered', attempts: 1 } });
    expect(await service.delivery(delivery)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      history: [{ attempt: 1, error: null }],
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('follows a request as webhooks 2 and 3 define it', async () => {
    const delivery = await recordFor({ status: 204 });
    await service.attempt(delivery);
    const [request] = await receiver.until(1);
    expect(request).toMatchObject({
      path: '/hooks',
      refused: null,
      headers: {
        'service-delivery-token': delivery.deliveryId,
        'service-delivery-attempt': '1',
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'service-webhooks/1',
        host: `127.0.0.1:${receiver.port}`,
      },
      body: {
        webhook_event: 'link.state_changed',
        webhook_major_version: 1,
        webhook_minor_version: 0,
        link_tags: ['tier:gold'],
        state: 'connected',
        error: null,
        error_message: null,
      },
    });
    expect(request?.signatures).toHaveLength(1);
    expect(decodeJwt(request?.signatures[0] ?? '')).toEqual({
      iss: 'https://api.example.test',
      iat: expect.any(Number),
      jti: request?.body.webhook_idempotency_key,
      app_id: 'pocket-ledger',
      environment: 'sandbox',
      request_body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('follows a request with headers named by HEADER_PREFIX', async () => {
    const other = await WebhookService.open({ headerPrefix: 'acme' });
    const elsewhere = await WebhookReceiver.start();
    const delivery = await other.record(await other.addLink(elsewhere.url()));
    await other.attempt(delivery);
    const [request] = await elsewhere.until(1);
    expect(request?.headers).toMatchObject({
      'acme-signature': expect.any(String),
      'acme-delivery-token': delivery.deliveryId,
      'acme-delivery-attempt': '1',
      'user-agent': 'acme-webhooks/1',
    });
    expect(
      Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('service-')),
    ).toEqual([]);
    await other.close();
    await elsewhere.stop();
  });

  it.each<[string, ReceiverResponse, object]>([
    // webhooks 7: the receiver is at a private address, so none of its response is kept.
    [
      '400',
      { status: 400, body: 'no' },
      { httpStatus: 400, error: 'http_status', responseExcerpt: null },
    ],
    ['404', { status: 404 }, { httpStatus: 404, error: 'http_status', responseExcerpt: null }],
    ['429 without Retry-After', { status: 429 }, { httpStatus: 429, error: 'http_status' }],
    [
      '500',
      { status: 500, body: 'o'.repeat(600) },
      { httpStatus: 500, error: 'http_status', responseExcerpt: null },
    ],
    [
      '500 with Retry-After',
      { status: 500, headers: { 'retry-after': '3600' } },
      { httpStatus: 500, error: 'http_status' },
    ],
    ['503 without Retry-After', { status: 503 }, { httpStatus: 503, error: 'http_status' }],
    [
      '301',
      { status: 301, headers: { location: '/good' } },
      { httpStatus: 301, error: 'http_status' },
    ],
    [
      '302',
      { status: 302, headers: { location: '/good' } },
      { httpStatus: 302, error: 'http_status' },
    ],
    [
      '307',
      { status: 307, headers: { location: '/good' } },
      { httpStatus: 307, error: 'http_status' },
    ],
    [
      '308',
      { status: 308, headers: { location: '/good' } },
      { httpStatus: 308, error: 'http_status' },
    ],
    ['no answer in time', 'hang', { httpStatus: null, error: 'timeout', responseExcerpt: null }],
    ['a closed connection', 'close', { httpStatus: null, error: 'connect', responseExcerpt: null }],
  ])(
    'is a failure for %s, and the next attempt follows the plan',
    async (_name, answer, recorded) => {
      const delivery = await recordFor(answer);
      expect(await service.attempt(delivery)).toMatchObject({ failure: 'AttemptFailed' });
      const endedAt = service.ctx.clock().getTime();
      const stored = await service.delivery(delivery);
      expect(stored).toMatchObject({
        status: 'pending',
        attempts: 1,
        shiftMs: 0n,
        history: [{ attempt: 1, ...recorded }],
      });
      const first = stored.firstAttemptAt?.getTime() ?? 0;
      const next = stored.nextAttemptAt?.getTime() ?? 0;
      expect(next).toBeGreaterThanOrEqual(first + 4_500);
      // At once if the attempt itself outlasts the plan, as one without an answer does.
      expect(next).toBeLessThanOrEqual(Math.max(first + 5_500, endedAt));
      // A redirect is not followed.
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
      await service.startRetries();
      expect(await service.queuedWorkflows()).toContain(delivery.deliveryId);
    },
  );

  it('is a failure for a refused connection', async () => {
    const gone = await WebhookReceiver.start();
    await gone.stop();
    const delivery = await service.record(await service.addLink(gone.url()));
    expect(await service.attempt(delivery)).toMatchObject({
      failure: 'AttemptFailed',
      message: 'attempt 1 failed: connect',
    });
  });

  it.each<[string, number, () => string, number]>([
    ['seconds', 503, () => '3600', 3_600_000],
    [
      'a date',
      429,
      () => new Date(service.ctx.clock().getTime() + 3_600_000).toUTCString(),
      3_600_000,
    ],
    ['more than a day', 503, () => '999999', 86_400_000],
  ])(
    'moves the next attempt and all later ones for Retry-After in %s',
    async (_name, status, header, expected) => {
      const delivery = await recordFor({ status, headers: { 'retry-after': header() } });
      await service.attempt(delivery);
      const { nextAttemptAt, lastAttemptAt, shiftMs } = await service.delivery(delivery);
      const wait = (nextAttemptAt?.getTime() ?? 0) - (lastAttemptAt?.getTime() ?? 0);
      // A date comes nearer until it is read, and the seconds start when they are read.
      expect(wait).toBeGreaterThanOrEqual(expected - 60_000);
      expect(wait).toBeLessThanOrEqual(expected + 60_000);
      expect(Number(shiftMs)).toBeGreaterThanOrEqual(wait - 6_000);

      receiver.respondWith({ status: 500 });
      await service.attemptWhenDue(delivery);
      const third = await service.delivery(delivery);
      const sinceFirst =
        (third.nextAttemptAt?.getTime() ?? 0) -
        (third.firstAttemptAt?.getTime() ?? 0) -
        Number(third.shiftMs);
      expect(sinceFirst).toBeGreaterThanOrEqual(5_000 + 22_500);
      expect(sinceFirst).toBeLessThanOrEqual(5_000 + 27_500);
    },
  );

  it('allows no attempt before 120 s after a 503 with Retry-After: 120 (webhooks 12, check 7)', async () => {
    const delivery = await recordFor({ status: 503, headers: { 'retry-after': '120' } });
    await service.attempt(delivery);
    const { nextAttemptAt, lastAttemptAt } = await service.delivery(delivery);
    expect(
      (nextAttemptAt?.getTime() ?? 0) - (lastAttemptAt?.getTime() ?? 0),
    ).toBeGreaterThanOrEqual(120_000);
    service.advance(60_000);
    expect(await service.attempt(delivery)).toMatchObject({ failure: 'NotDue' });
    expect(receiver.received).toHaveLength(1);
    receiver.respondWith({ status: 204 });
    expect(await service.attemptWhenDue(delivery)).toEqual({
      end: { status: 'delivered', attempts: 2 },
    });
  });

  it('is a failure for a 302, whose target is never called (webhooks 12, check 7)', async () => {
    const good = await WebhookReceiver.start();
    const delivery = await recordFor({ status: 302, headers: { location: good.url() } });
    for (let attempt = 1; attempt <= 2; attempt += 1)
      expect(await service.attemptWhenDue(delivery)).toMatchObject({
        failure: 'AttemptFailed',
        message: `attempt ${attempt} failed: HTTP 302`,
      });
    expect({ received: receiver.received.length, goodReceived: good.received.length }).toEqual({
      received: 2,
      goodReceived: 0,
    });
    await good.stop();
  });

  it('follows the plan for a Retry-After earlier than the plan', async () => {
    const delivery = await recordFor({ status: 503, headers: { 'retry-after': '1' } });
    await service.attempt(delivery);
    expect(await service.delivery(delivery)).toMatchObject({ shiftMs: 0n });
  });

  it('follows the schedule within 10 % for eleven responses of 500, and ends as exhausted (webhooks 12, check 5)', async () => {
    const delivery = await recordFor({ status: 500 });
    const plannedAt: (Date | null)[] = [null];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await service.attemptWhenDue(delivery)).toMatchObject({ failure: 'AttemptFailed' });
      plannedAt.push((await service.delivery(delivery)).nextAttemptAt);
    }
    expect(await service.attemptWhenDue(delivery)).toEqual({
      end: { status: 'exhausted', attempts: 11 },
    });
    const { status, nextAttemptAt, history } = await service.delivery(delivery);
    expect({ status, nextAttemptAt }).toEqual({ status: 'exhausted', nextAttemptAt: null });
    expect(history.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const first = history[0]?.startedAt.getTime() ?? 0;
    history.slice(1).forEach(({ startedAt }, index) => {
      const at = plannedAt[index + 1]?.getTime() ?? Number.NaN;
      const planned = DEFAULT_SCHEDULE[index + 1] ?? 0;
      expect(Math.abs(at - first - planned)).toBeLessThanOrEqual(planned * 0.1);
      expect(startedAt.getTime()).toBeGreaterThanOrEqual(at);
    });
    expect(receiver.received).toHaveLength(11);
    // It is finished: nothing more is sent.
    expect(await service.attempt(delivery)).toEqual({ end: { status: 'exhausted', attempts: 11 } });
    expect(receiver.received).toHaveLength(11);
  });

  it('leaves bytes and jti of attempts 1 and 2 equal, with another iat and signature (webhooks 12, check 3)', async () => {
    const delivery = await recordFor({ status: 500 });
    await service.attempt(delivery);
    await service.attemptWhenDue(delivery);
    const [first, second] = await receiver.until(2);
    if (first === undefined || second === undefined) throw new Error('two requests were expected');
    expect(second.rawBody.equals(first.rawBody)).toBe(true);
    expect({ firstRefused: first.refused, secondRefused: second.refused }).toEqual({
      firstRefused: null,
      secondRefused: null,
    });
    expect([first, second].map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
    ]);
    expect(second.headers['service-delivery-token']).toBe(first.headers['service-delivery-token']);
    expect(second.signatures).not.toEqual(first.signatures);
    const [one, two] = [first, second].map(({ signatures }) => decodeJwt(signatures[0] ?? ''));
    expect(two?.jti).toBe(one?.jti);
    expect(two?.iat).toBeGreaterThan(one?.iat ?? 0);
  });

  it('allows no attempt before its time', async () => {
    const delivery = await recordFor({ status: 503, headers: { 'retry-after': '3600' } });
    await service.attempt(delivery);
    const asked = service.ctx.clock().getTime();
    const early = await service.attempt(delivery);
    const answered = service.ctx.clock().getTime();
    expect(early).toMatchObject({ failure: 'NotDue' });
    const dueAt = (await service.delivery(delivery)).nextAttemptAt?.getTime() ?? 0;
    const { retryInMs } = early as { retryInMs: number };
    expect(retryInMs).toBeGreaterThanOrEqual(dueAt - answered - 1);
    expect(retryInMs).toBeLessThanOrEqual(dueAt - asked + 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('is logged without a body, a signature or an address', () => {
    const text = JSON.stringify(service.log);
    expect(service.log.some(({ msg }) => msg === 'webhook.attempted')).toBe(true);
    expect(text).not.toMatch(/webhook_idempotency_key|\beyJ|127\.0\.0\.1|tier:gold|\/hooks/);
  });
});
