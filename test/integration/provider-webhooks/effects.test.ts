import { randomUUID } from 'node:crypto';
import type { WebhookEffect } from '../../../providers/contract/provider.js';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import { SignedWebhooks } from '../../support/fixtures/signed-webhooks.js';
import {
  storeLink,
  type LinkOptions,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { ReceivedWebhooks, sourceAway } from './received-webhooks.js';

const ENDS_AT = new Date('2027-05-01T00:00:00Z');
const DAY_MS = 86_400_000;

storageOfFile();

let received: ReceivedWebhooks;
let link: StoredLink;
let reference: string;
beforeAll(async () => {
  const { prisma } = storage.ctx.database;
  for (const name of ['trial', 'other']) {
    await prisma.providerConfiguration.create({
      data: { name, adapter: 'trial', environment: 'sandbox', settings: {} },
    });
    await prisma.institutionRoute.create({
      data: {
        institutionId: 'test-bank',
        provider: name,
        remoteId: `${name}-bank`,
        login: 'form',
        products: ['accounts', 'transactions'],
      },
    });
  }
});
beforeEach(async () => {
  received = new ReceivedWebhooks(storage.ctx);
  await storage.ctx.database.prisma.outboxCommand.deleteMany();
  await storage.ctx.database.prisma.providerWebhook.deleteMany();
  reference = `permission-${randomUUID()}`;
  link = await permitted();
});

const permit = (of: StoredLink, provider: string) =>
  storage.ctx.database.transaction((tx) =>
    storeCredential(storage.ctx, tx, of, {
      provider,
      reference,
      credential: Buffer.from('canary-credential'),
    }),
  );

async function permitted(options: LinkOptions = {}): Promise<StoredLink> {
  const made = await storeLink(storage, { provider: 'trial', ...options });
  await permit(made, options.provider ?? 'trial');
  return made;
}

const more = (): WebhookEffect => ({ kind: 'refresh', reference, products: ['transactions'] });
const lost = (): WebhookEffect => ({ kind: 'lost', reference, cause: 'consent_expired' });
const deliver = (...effects: WebhookEffect[]) => received.deliver(received.source.make(effects));
const deliverUnsigned = (...effects: WebhookEffect[]) =>
  received.deliver(SignedWebhooks.unsigned(effects));

/** The pending fetches, and their causes. */
async function asked(of = link): Promise<string[]> {
  const requests = await storage.ctx.database.prisma.refreshRequest.findMany({
    where: { linkPk: of.pk, consumedAt: null },
    orderBy: { product: 'asc' },
  });
  return requests.map(({ product, cause }) => `${product} ${cause}`);
}

const standing = async (of = link) => {
  const { state, errorCode, errorCause, permissionEndsAt } =
    await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: of.pk } });
  return { state, errorCode, errorCause, permissionEndsAt };
};
const UNCHANGED = {
  state: 'connected',
  errorCode: null,
  errorCause: null,
  permissionEndsAt: null,
};

describe('A verified webhook', () => {
  it('causes a fetch of every link with this permission of its configuration when it announces more data', async () => {
    const [second, foreign] = [await permitted(), await permitted({ provider: 'other' })];
    const row = await deliver(more());
    expect({
      own: await asked(),
      second: await asked(second),
      foreign: await asked(foreign),
    }).toEqual({
      own: ['transactions provider_webhook'],
      second: ['transactions provider_webhook'],
      foreign: [],
    });
    expect(row).toMatchObject({ state: 'applied', refusal: null, sealed: null });
    expect(await received.hasKey(row?.webhookId ?? '')).toBe(false);
    expect(received.outcomes).toEqual(['applied']);
  });

  it('causes one fetch when it arrives ten times', async () => {
    const webhook = received.source.make([more()]);
    for (let sent = 0; sent < 10; sent += 1) await received.deliver(webhook);
    expect(await asked()).toEqual(['transactions provider_webhook']);
    expect(received.source.reads).toBe(1);
    expect(await storage.ctx.database.prisma.providerWebhook.count()).toBe(1);
  });

  it('causes one fetch when several workers read it at the same time', async () => {
    const id = await received.receive(received.source.make([more()]));
    await Promise.all([1, 2, 3, 4].map(() => received.read(id)));
    await Promise.all([1, 2, 3, 4].map(() => received.apply(id)));
    expect(await asked()).toEqual(['transactions provider_webhook']);
  });

  it('is merged with a run in progress, and with others of the same content', async () => {
    await deliver(more());
    const run = await storage.refresh.beginRun(link.linkId);
    for (const note of ['second', 'third'])
      await received.deliver(received.source.make([more()], { note }));
    const { prisma } = storage.ctx.database;
    const { refreshRun } = await prisma.link.findUniqueOrThrow({ where: { pk: link.pk } });
    await storage.refresh.joinRun(link.linkId, run?.run ?? '');
    expect(await asked()).toEqual([]);
    const after = await prisma.link.findUniqueOrThrow({
      where: { pk: link.pk },
      include: { products: true },
    });
    expect(after.refreshRun).toEqual(refreshRun);
    expect(
      after.products
        .filter(({ state }) => state !== null)
        .map(({ product, state }) => [product, state]),
    ).toEqual([['transactions', 'in_progress']]);
  });

  it('moves the link when it reports a lost permission, as a fetch would that encountered the cause', async () => {
    await deliver(lost());
    expect(await standing()).toMatchObject({
      state: 'error',
      errorCode: 'auth_expired',
      errorCause: 'consent_expired',
    });
    expect(await asked()).toEqual([]);
  });

  it('only causes a fetch when it is older than the permission', async () => {
    const webhookId = await received.receive(received.source.make([lost()]));
    await storage.ctx.database.prisma.providerCredential.update({
      where: { linkPk: link.pk },
      data: { createdAt: new Date(Date.now() + 1_000) },
    });
    await received.read(webhookId);
    await received.apply(webhookId);
    expect(await standing()).toEqual(UNCHANGED);
    expect(await asked()).toEqual(['accounts provider_webhook']);
  });

  it('is applied when it reports that a permission works again or is about to expire', async () => {
    await deliver({ kind: 'recovered', reference }, { kind: 'ends', reference, at: ENDS_AT });
    expect(await standing()).toEqual({ ...UNCHANGED, permissionEndsAt: ENDS_AT });
    expect(await asked()).toEqual(['accounts provider_webhook', 'transactions provider_webhook']);
  });

  it('of an institution sets the health of its own route only', async () => {
    await deliver({ kind: 'institution', remoteId: 'trial-bank', health: 'down' });
    await deliver({ kind: 'institution', remoteId: 'other-bank', health: 'down' });
    const routes = await storage.ctx.database.prisma.institutionRoute.findMany();
    expect(Object.fromEntries(routes.map(({ provider, health }) => [provider, health]))).toEqual({
      sandbox: 'operational',
      trial: 'down',
      other: 'operational',
    });
  });

  it('of a link that needs its owner, or of no link, changes nothing', async () => {
    await deliver(lost());
    const before = await standing();
    await deliver(more(), { kind: 'ends', reference, at: ENDS_AT });
    expect(await standing()).toEqual(before);
    reference = 'permission-of-no-one';
    expect(await deliver(more(), lost())).toMatchObject({ state: 'applied' });
  });
});

describe('A webhook without a signature', () => {
  it('changes no state, and causes a fetch of the accounts, which finds the truth', async () => {
    const row = await deliverUnsigned(
      lost(),
      { kind: 'ends', reference, at: ENDS_AT },
      { kind: 'institution', remoteId: 'other-bank', health: 'down' },
    );
    expect(row).toMatchObject({ state: 'applied', sealed: null });
    expect(await standing()).toEqual(UNCHANGED);
    expect(await asked()).toEqual(['accounts provider_webhook']);
  });

  it('counts again when an equal one arrives after it was applied', async () => {
    await deliverUnsigned(more());
    await deliverUnsigned(more());
    expect(await storage.ctx.database.prisma.providerWebhook.count()).toBe(2);
  });
});

describe('A refused webhook', () => {
  const stranger = new SignedWebhooks('canary-of-another-secret');
  it.each([
    ['forged', 'signature', () => stranger.make([lost()])],
    [
      'changed',
      'signature',
      () => {
        const { headers, body } = received.source.make([lost()]);
        return { headers, body: Buffer.concat([body, Buffer.from(' ')]) };
      },
    ],
    [
      'truncated',
      'signature',
      () => {
        const { headers, body } = received.source.make([lost()]);
        return { headers, body: body.subarray(0, -1) };
      },
    ],
    [
      'truncated and unsigned',
      'malformed',
      () => {
        const { headers, body } = SignedWebhooks.unsigned([lost()]);
        return { headers, body: body.subarray(0, -1) };
      },
    ],
    [
      'stale',
      'stale',
      () => received.source.make([lost()], { at: new Date(Date.now() - 600_000) }),
    ],
  ])('has no effect, and none of its data is kept: %s', async (_, refusal, make) => {
    const row = await received.deliver(make());
    expect(row).toMatchObject({ state: 'refused', refusal, sealed: null });
    expect(await received.hasKey(row?.webhookId ?? '')).toBe(false);
    expect({ standing: await standing(), asked: await asked() }).toEqual({
      standing: UNCHANGED,
      asked: [],
    });
    expect(received.outcomes).toEqual([refusal]);
  });

  it('does not take the place of the genuine one with the same body', async () => {
    const { headers, body } = received.source.make([more()]);
    await received.deliver({ headers: { ...headers, 'x-trial-signature': 't=1,v1=0' }, body });
    expect(await asked()).toEqual([]);
    await received.deliver({ headers, body });
    expect(await asked()).toEqual(['transactions provider_webhook']);
  });
});

describe('A webhook that has not been read', () => {
  it('waits while the source is unavailable', async () => {
    received.source.failures = [sourceAway()];
    const webhookId = await received.receive(received.source.make([more()]));
    await expect(received.read(webhookId)).rejects.toMatchObject({
      providerCause: 'provider_down',
    });
    expect(await received.row(webhookId)).toMatchObject({ state: 'received' });
    await received.read(webhookId);
    await received.apply(webhookId);
    expect(await asked()).toEqual(['transactions provider_webhook']);
  });

  it('is requested again when its workflow was lost, while its configuration is enabled', async () => {
    const { prisma } = storage.ctx.database;
    const webhookId = await received.receive(received.source.make([more()]));
    const soon = new Date(Date.now() + 1_000);
    expect(await received.webhooks.requeueOverdue(soon, 10)).toBe(0);
    await prisma.outboxCommand.deleteMany();
    expect(await received.webhooks.requeueOverdue(new Date(Date.now() - 60_000), 10)).toBe(0);
    await prisma.providerConfiguration.update({
      where: { name: 'trial' },
      data: { enabled: false },
    });
    expect(await received.webhooks.requeueOverdue(soon, 10)).toBe(0);
    await prisma.providerConfiguration.update({
      where: { name: 'trial' },
      data: { enabled: true },
    });
    expect(await received.webhooks.requeueOverdue(soon, 10)).toBe(1);
    expect(await prisma.outboxCommand.findMany()).toMatchObject([
      {
        kind: 'startProviderWebhook',
        payload: { webhookId, provider: 'trial', environment: 'sandbox' },
      },
    ]);
  });
});

describe('After seven days', () => {
  it('all webhooks are removed, whatever their outcome', async () => {
    const { prisma } = storage.ctx.database;
    await deliver(more());
    await received.deliver(new SignedWebhooks('canary-of-another-secret').make([more()]));
    const waiting = await received.receive(received.source.make([more()], { note: 'waiting' }));
    expect(await received.webhooks.removeOld(new Date(Date.now() - 7 * DAY_MS), 100)).toBe(0);
    expect(await received.hasKey(waiting)).toBe(true);
    expect(await received.webhooks.removeOld(new Date(Date.now() + 1_000), 100)).toBe(3);
    expect(await prisma.providerWebhook.count()).toBe(0);
    expect(await received.hasKey(waiting)).toBe(false);
    await received.read(waiting);
    await received.apply(waiting);
    expect(await asked()).toHaveLength(1);
  });
});
