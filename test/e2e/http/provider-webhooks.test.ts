import { makeWebhookKey } from '../../../prisma/work/provider-webhooks/webhook-key.js';
import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { Canaries } from '../../support/fixtures/canaries.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const LIMIT = 256 * 1024;
const BODY = '{"event":"canary-of-a-webhook-body"}';
const SIGNED = {
  'content-type': 'application/json',
  'x-trial-signature': 'canary-of-a-webhook-signature',
};

let service: ApiInProcess;
let configurations: ProviderConfigurationRepository;
const keys = new Map<string, string>();
beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_PROVIDER_WEBHOOKS: '1/s:20' });
  configurations = new ProviderConfigurationRepository(service.ctx);
  for (const name of ['one', 'other', 'busy', 'disabled', 'keyless']) {
    await configurations.add({
      name,
      adapter: 'trial',
      environment: 'live',
      settings: {},
      secrets: {},
      publicKeys: null,
      maxLinks: null,
    });
    const key = name === 'keyless' ? null : await makeWebhookKey(service.ctx, name);
    if (key !== null) keys.set(name, key);
  }
  await configurations.setEnabled('disabled', false);
});
afterAll(() => service.close());
beforeEach(async () => {
  const { prisma } = service.ctx.database;
  await prisma.outboxCommand.deleteMany();
  await prisma.providerWebhook.deleteMany();
});

const keyOf = (name: string) => keys.get(name) ?? '';
const send = (name: string, key: string, raw: string | Buffer = BODY, headers = SIGNED) =>
  service.api.post(`/provider-webhooks/${name}/${key}`, { raw, headers });
const rows = () => service.ctx.database.prisma.providerWebhook.findMany();
const commands = () => service.ctx.database.prisma.outboxCommand.findMany();

describe('POST /provider-webhooks/{source}/{key}', () => {
  it('returns an empty response at once, and stores the webhook sealed for a worker to process', async () => {
    const { status, text, headers } = await send('one', keyOf('one'));
    expect({ status, text, cacheControl: headers.get('cache-control') }).toEqual({
      status: 200,
      text: '',
      cacheControl: 'no-store',
    });
    const [row] = await rows();
    expect(row).toMatchObject({ provider: 'one', state: 'received', refusal: null });
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain('canary');
    expect(await commands()).toMatchObject([
      {
        kind: 'startProviderWebhook',
        payload: { webhookId: row?.webhookId, provider: 'one', environment: 'live' },
      },
    ]);
  });

  it('treats equal webhooks as one, unless their signature or configuration differs', async () => {
    const same = await Promise.all(Array.from({ length: 8 }, () => send('one', keyOf('one'))));
    expect(same.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect({ rows: (await rows()).length, commands: (await commands()).length }).toEqual({
      rows: 1,
      commands: 1,
    });
    await send('one', keyOf('one'), BODY, { ...SIGNED, 'x-trial-signature': 'another' });
    await send('other', keyOf('other'));
    expect({ rows: (await rows()).length, commands: (await commands()).length }).toEqual({
      rows: 3,
      commands: 3,
    });
  });

  it.each([
    ['of another configuration', 'one', () => keyOf('other')],
    ['of nothing', 'one', () => 'guessed'],
    ['of a disabled configuration', 'disabled', () => keyOf('disabled')],
    ['for a configuration that receives none', 'keyless', () => keyOf('one')],
    ['for an unknown configuration', 'unknown', () => keyOf('one')],
    ['for no possible configuration', 'No.Name', () => keyOf('one')],
    ['for the built-in provider', 'sandbox', () => keyOf('one')],
  ])('returns 404 for a key %s, and leaves no trace', async (_, name, key) => {
    const { status, body } = await send(name, key());
    expect([status, body]).toMatchObject([404, { error_code: 'api_error.request.not_found' }]);
    expect({ rows: await rows(), commands: await commands() }).toEqual({ rows: [], commands: [] });
  });

  it.each([
    ['a byte', LIMIT + 1],
    ['10 MB', 10_000_000],
  ])('refuses a webhook that is %s too long, and leaves no trace', async (_, length) => {
    const { status, body } = await send('one', keyOf('one'), Buffer.alloc(length));
    expect([status, body]).toMatchObject([413, { error_code: 'api_error.request.too_large' }]);
    expect({ rows: await rows(), commands: await commands() }).toEqual({ rows: [], commands: [] });
  });

  it('accepts bytes of any type up to the limit, and an empty body', async () => {
    const binary = { 'content-type': 'application/octet-stream', 'x-trial-signature': '' };
    expect((await send('one', keyOf('one'), Buffer.alloc(LIMIT, 255), binary)).status).toBe(200);
    expect((await send('one', keyOf('one'), '', binary)).status).toBe(200);
    expect(await rows()).toHaveLength(2);
  });

  it('limits each configuration separately, and only callers that have its key', async () => {
    const strangers = await Promise.all(Array.from({ length: 30 }, () => send('busy', 'guessed')));
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([404]));
    // More than a slow machine refills in the meantime.
    const sent = await Promise.all(Array.from({ length: 60 }, () => send('busy', keyOf('busy'))));
    const limited = sent.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send('other', keyOf('other'))).status).toBe(200);
  });

  it('refuses the previous key once there is a new one', async () => {
    const earlier = keyOf('other');
    const key = (await makeWebhookKey(service.ctx, 'other')) ?? '';
    expect({
      sendStatus: (await send('other', earlier)).status,
      otherStatus: (await send('other', key)).status,
    }).toEqual({ sendStatus: 404, otherStatus: 200 });
    keys.set('other', key);
    expect(await makeWebhookKey(service.ctx, 'unknown')).toBeNull();
  });

  it('logs neither the key nor the body nor the headers', async () => {
    await send('one', keyOf('one'));
    await send('one', 'canary-of-a-guessed-key');
    const canaries = new Canaries();
    canaries.add('key', keyOf('one'));
    canaries.add('guess', 'canary-of-a-guessed-key');
    canaries.add('body', 'canary-of-a-webhook-body');
    canaries.add('signature', SIGNED['x-trial-signature']);
    expect(service.log()).toContain('/provider-webhooks/:source/:key');
    expect(canaries.findIn(service.log())).toEqual([]);
  });

  it('does not store the key', async () => {
    const stored = await service.ctx.database.prisma.providerConfiguration.findMany();
    const canaries = new Canaries();
    for (const [name, key] of keys) canaries.add(name, key);
    const texts = stored.map((row) =>
      JSON.stringify({
        ...row,
        webhookKeyHash: Buffer.from(row.webhookKeyHash ?? []).toString('latin1'),
      }),
    );
    expect(canaries.findIn(texts.join('\n'))).toEqual([]);
  });
});
