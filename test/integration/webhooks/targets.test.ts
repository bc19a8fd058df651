import type { ResolvedAddress } from '../../../apps/platform/src/addresses/resolve-target.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { TEST_CERTIFICATE } from './test-certificate.js';
import { WebhookService } from './webhook-service.js';

const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 };

describe('webhooks 12, check 8: the address of a webhook', () => {
  const names = new Map<string, () => readonly ResolvedAddress[]>();
  const lookups: string[] = [];
  let strict: WebhookService;
  let lenient: WebhookService;
  let receiver: WebhookReceiver;
  let secure: WebhookReceiver;

  beforeAll(async () => {
    const resolve = async (hostname: string) => {
      await Promise.resolve();
      lookups.push(hostname);
      const answer = names.get(hostname);
      if (answer === undefined)
        throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      return answer();
    };
    receiver = await WebhookReceiver.start();
    secure = await WebhookReceiver.start({ tls: TEST_CERTIFICATE });
    strict = await WebhookService.open({ allowed: '', resolve });
    lenient = await WebhookService.open({
      allowed: '127.0.0.0/8',
      resolve,
      trustedCertificates: TEST_CERTIFICATE.cert,
    });
  });
  afterEach(async () => {
    await strict.endOpenDeliveries();
    names.clear();
    lookups.length = 0;
    receiver.received.length = 0;
    secure.received.length = 0;
  });
  afterAll(async () => {
    await receiver.stop();
    await secure.stop();
    await strict.close();
    await lenient.close();
  });

  const attemptAt = async (service: WebhookService, url: string) => {
    const delivery = await service.record(await service.addLink(url));
    await service.attempt(delivery);
    const {
      status,
      history: [attempt],
    } = await service.delivery(delivery);
    return { status, error: attempt?.error ?? null };
  };
  const REFUSED = { status: 'pending', error: 'address_refused' };
  const DELIVERED = { status: 'delivered', error: null };

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '0.0.0.0',
    '0',
  ])('is never http://%s', async (host) => {
    expect(await attemptAt(strict, receiver.url('/', host))).toEqual(REFUSED);
    expect({ received: receiver.received.length, lookups }).toEqual({ received: 0, lookups: [] });
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '017700000001', '[::ffff:127.0.0.1]'])(
    'is http://%s when an allowed range includes it',
    async (host) => {
      expect(await attemptAt(lenient, receiver.url('/', host))).toEqual(DELIVERED);
    },
  );

  it('is http://[::1] when an allowed IPv6 range includes it', async () => {
    const local = await WebhookService.open({ allowed: '::1/128' });
    // The receiver does not listen there, or the computer has no IPv6. The test only needs the
    // address to be accepted.
    expect(await attemptAt(local, receiver.url('/', '[::1]'))).toEqual({
      status: 'pending',
      error: 'connect',
    });
    expect(await attemptAt(local, receiver.url())).toEqual(REFUSED);
    await local.close();
  });

  it('counts as a failed attempt and is retried when it is refused', async () => {
    const delivery = await strict.record(await strict.addLink(receiver.url()));
    expect(await strict.attempt(delivery)).toMatchObject({
      failure: 'AttemptFailed',
      message: 'attempt 1 failed: address_refused',
    });
    expect(await strict.attemptWhenDue(delivery)).toMatchObject({
      failure: 'AttemptFailed',
      message: 'attempt 2 failed: address_refused',
    });
  });

  it.each<[string, readonly ResolvedAddress[]]>([
    ['a private address', [LOOPBACK]],
    ['the metadata service of a cloud', [{ address: '169.254.169.254', family: 4 }]],
    ['an address that carries a private one', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a public and a private address', [{ address: '192.0.1.1', family: 4 }, LOOPBACK]],
    ['no address', []],
  ])('is not a name that resolves to %s', async (_name, addresses) => {
    names.set('receiver.test', () => addresses);
    expect(await attemptAt(strict, receiver.url('/', 'receiver.test'))).toEqual(REFUSED);
    expect({ received: receiver.received.length, lookups }).toEqual({
      received: 0,
      lookups: ['receiver.test'],
    });
  });

  it('is not localhost, which is resolved like any other name', async () => {
    names.set('localhost', () => [LOOPBACK]);
    expect(await attemptAt(strict, receiver.url('/', 'localhost'))).toEqual(REFUSED);
    expect(await attemptAt(lenient, receiver.url('/', 'localhost'))).toEqual(DELIVERED);
    // Both of its addresses are checked, and ::1 is not allowed here.
    names.set('localhost', () => [LOOPBACK, { address: '::1', family: 6 }]);
    expect(await attemptAt(lenient, receiver.url('/', 'localhost'))).toEqual(REFUSED);
  });

  it('is looked up once, and the connection goes to the address that was checked', async () => {
    // No server listens at the first address. The receiver's own, to which the name changes, is not
    // allowed.
    let asked = 0;
    names.set('receiver.test', () =>
      asked++ === 0 ? [{ address: '127.0.0.2', family: 4 }] : [LOOPBACK],
    );
    const quick = await WebhookService.open({
      allowed: '127.0.0.2/32',
      timeoutMs: 5_000,
      resolve: (hostname) => Promise.resolve(names.get(hostname)?.() ?? []),
    });
    const delivery = await quick.record(await quick.addLink(receiver.url('/', 'receiver.test')));
    await quick.attempt(delivery);
    expect(asked).toBe(1);
    expect((await quick.delivery(delivery)).history[0]?.error).not.toBe('address_refused');
    await quick.attemptWhenDue(delivery);
    expect((await quick.delivery(delivery)).history[1]?.error).toBe('address_refused');
    expect(receiver.received).toHaveLength(0);
    await quick.close();
  });

  it('is not reached over an open connection when its name resolves elsewhere now', async () => {
    names.set('receiver.test', () => [LOOPBACK]);
    expect(await attemptAt(lenient, receiver.url('/', 'receiver.test'))).toEqual(DELIVERED);
    names.set('receiver.test', () => [{ address: '10.0.0.1', family: 4 }]);
    expect(await attemptAt(lenient, receiver.url('/', 'receiver.test'))).toEqual(REFUSED);
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps its host name, for TLS too', async () => {
    names.set('receiver.test', () => [LOOPBACK]);
    expect(await attemptAt(lenient, receiver.url('/hooks?tenant=7', 'receiver.test'))).toEqual(
      DELIVERED,
    );
    expect(await attemptAt(lenient, secure.url('/', 'receiver.test'))).toEqual(DELIVERED);
    expect(receiver.received.map(({ path, headers }) => [path, headers.host])).toEqual([
      ['/hooks?tenant=7', `receiver.test:${receiver.port}`],
    ]);
    expect(secure.received.map(({ headers }) => headers.host)).toEqual([
      `receiver.test:${secure.port}`,
    ]);
  });

  it('fails with a TLS failure for a certificate of another name or an untrusted issuer', async () => {
    names.set('other.test', () => [LOOPBACK]);
    expect(await attemptAt(lenient, secure.url('/', 'other.test'))).toEqual({
      status: 'pending',
      error: 'tls',
    });
    const distrustful = await WebhookService.open({ resolve: () => Promise.resolve([LOOPBACK]) });
    expect(await attemptAt(distrustful, secure.url('/', 'receiver.test'))).toEqual({
      status: 'pending',
      error: 'tls',
    });
    await distrustful.close();
    expect(secure.received).toHaveLength(0);
  });

  it('fails with a TLS failure for plain HTTP behind an https address', async () => {
    names.set('receiver.test', () => [LOOPBACK]);
    expect(await attemptAt(lenient, `https://receiver.test:${receiver.port}/`)).toEqual({
      status: 'pending',
      error: 'tls',
    });
  });

  it('fails as a failed connection for an unknown name', async () => {
    expect(await attemptAt(lenient, receiver.url('/', 'no-one.test'))).toEqual({
      status: 'pending',
      error: 'connect',
    });
  });

  it('fails at the time limit of the attempt when its look-up never returns', async () => {
    const stuck = await WebhookService.open({
      timeoutMs: 200,
      resolve: () => new Promise(() => undefined),
    });
    expect(await attemptAt(stuck, receiver.url('/', 'receiver.test'))).toEqual({
      status: 'pending',
      error: 'timeout',
    });
    await stuck.close();
  });

  it('is not reached through a proxy of the environment', async () => {
    const saved = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
      ALL_PROXY: 'http://127.0.0.1:9',
    });
    try {
      expect(await attemptAt(lenient, receiver.url())).toEqual(DELIVERED);
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) {
        if (saved[name] === undefined) delete process.env[name];
        else process.env[name] = saved[name];
      }
    }
  });
});
