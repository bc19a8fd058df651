import {
  checkProvider,
  PAUSE_PROVIDER,
  RESUME_PROVIDER,
} from '../../../apps/console-server/src/operations/providers/change-provider.js';
import { LIST_PROVIDERS } from '../../../apps/console-server/src/operations/providers/list-providers.js';
import { storage } from '../../support/fixtures/stored-link.js';
import {
  answered,
  ask,
  instanceOfFile,
  recorded,
  refusal,
  service,
} from './support/instance-stage.js';

instanceOfFile();

const NOW = new Date('2026-03-01T10:00:00Z');
const LINE = { what: 'The keys', ok: true, detail: null, remedy: null };

beforeAll(async () => {
  const { prisma } = storage.ctx.database;
  await prisma.providerConfiguration.create({
    data: {
      ...{ name: 'feed', adapter: 'trial', environment: 'live', maxLinks: 7 },
      settings: { address: 'https://settings-canary.example' },
      sealedSecrets: Buffer.from('secret-canary'),
      checkedAt: NOW,
      checkReport: { ok: true, keysRefused: false, lines: [LINE] },
      credentialsEndAt: new Date('2026-06-01T00:00:00Z'),
    },
  });
  await prisma.institutionRoute.create({
    data: {
      institutionId: 'test-bank',
      provider: 'feed',
      remoteId: '1',
      login: 'form',
      products: [],
    },
  });
  await prisma.quotaWindow.createMany({
    data: [
      ['permission-1', 10, '2026-03-01T11:00:00Z'],
      ['permission-2', 4, '2026-03-01T10:30:00Z'],
      ['permission-3', 9, '2026-03-01T09:00:00Z'],
    ].map(([subject, used, endsAt]) => ({
      ...{ provider: 'feed', quota: 'calls_per_day', subject: String(subject), limit: 10 },
      ...{ used: Number(used), windowStart: new Date(0), endsAt: new Date(String(endsAt)) },
    })),
  });
});

const shown = async (name: string) =>
  (await ask(LIST_PROVIDERS, {}, { now: NOW })).find((provider) => provider.name === name);

describe('The list of providers', () => {
  it('shows the state, the last check, the quotas that count now and the ends of each', async () => {
    expect(await shown('feed')).toEqual({
      name: 'feed',
      adapter: 'trial',
      environment: 'live',
      state: 'ok',
      check: { at: NOW.toISOString(), ok: true, lines: [LINE] },
      credentials_end_at: '2026-06-01T00:00:00.000Z',
      links: 0,
      max_links: 7,
      quotas: [
        {
          name: 'calls_per_day',
          limit: 10,
          counted_for: 2,
          used_up: 1,
          least_left: 0,
          next_room_at: '2026-03-01T10:30:00.000Z',
        },
      ],
      are_quotas_cut: false,
      paused: null,
    });
  });

  it('shows the built-in provider first, and neither settings nor secrets of the others', async () => {
    const [first] = await ask(LIST_PROVIDERS, {}, { now: NOW });
    expect(first).toMatchObject({ name: 'sandbox', state: 'built_in', environment: null });
    expect(answered.join()).toContain('feed');
    expect(answered.join()).not.toMatch(/canary/);
  });

  it.each([
    [{ enabled: false }, 'disabled'],
    [{ broken: true }, 'broken'],
    [{ checkReport: { ok: false, keysRefused: false, lines: [] } }, 'failing'],
  ])('names the state of a configuration with %j', async (data, state) => {
    const { prisma } = storage.ctx.database;
    const before = await prisma.providerConfiguration.findUniqueOrThrow({
      where: { name: 'feed' },
      select: { enabled: true, broken: true, checkReport: true },
    });
    await prisma.providerConfiguration.update({ where: { name: 'feed' }, data });
    expect((await shown('feed'))?.state).toBe(state);
    await prisma.providerConfiguration.update({
      where: { name: 'feed' },
      data: { ...before, checkReport: before.checkReport as object },
    });
  });
});

describe('A pause of a provider', () => {
  it('shows who made it and why until it is resumed, and is recorded', async () => {
    const from = (await recorded()).length;
    await ask(PAUSE_PROVIDER, { name: 'feed', reason: 'quota' });
    expect((await shown('feed'))?.paused).toEqual({
      scope: 'provider',
      until: null,
      by: 'link:ann',
      reason: 'quota',
    });
    await ask(RESUME_PROVIDER, { name: 'feed' });
    expect((await shown('feed'))?.paused).toBeNull();
    expect((await recorded()).slice(from).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['providers pause', 'started'],
      ['providers pause', 'succeeded'],
      ['providers resume', 'started'],
      ['providers resume', 'succeeded'],
    ]);
  });

  it('is refused for a provider without a route', async () => {
    for (const operation of [PAUSE_PROVIDER, RESUME_PROVIDER])
      await expect(ask(operation, { name: 'none' })).rejects.toEqual(
        refusal(404, 'console.provider_not_found'),
      );
  });
});

describe('A check of a provider', () => {
  /** A worker that finishes each check that was requested with this report. */
  const withWorker = async (report: object, work: () => Promise<unknown>) => {
    const { prisma } = storage.ctx.database;
    let isOver = false;
    const worker = (async () => {
      while (!isOver) {
        const { count } = await prisma.providerConfiguration.updateMany({
          where: { name: 'feed', checkDueAt: { lte: new Date(0) } },
          data: { checkReport: report, checkedAt: new Date(), checkDueAt: new Date('2030-01-01') },
        });
        if (count === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    try {
      return await work();
    } finally {
      isOver = true;
      await worker;
    }
  };
  const check = () => ask(checkProvider(20_000), { name: 'feed' });

  it('returns the lines that a worker reported', async () => {
    expect(await withWorker({ ok: true, keysRefused: false, lines: [LINE] }, check)).toMatchObject({
      name: 'feed',
      ok: true,
      broken: false,
      lines: [LINE],
    });
  });

  it('that did not succeed is a conflict, whose lines are in the list', async () => {
    const line = { ...LINE, ok: false, detail: 'HTTP 401', remedy: 'Set the key again' };
    await withWorker({ ok: false, keysRefused: true, lines: [line] }, () =>
      expect(check()).rejects.toEqual(refusal(409, 'console.check_failed')),
    );
    expect((await shown('feed'))?.check).toMatchObject({ ok: false, lines: [line] });
  });

  it('is unavailable while no worker runs, and not found for an unknown configuration', async () => {
    await expect(ask(checkProvider(1), { name: 'feed' })).rejects.toEqual(
      refusal(503, 'console.no_worker'),
    );
    const found = await service.configurations.find('feed');
    expect(found?.name).toBe('feed');
    for (const name of ['none', 'sandbox'])
      await expect(ask(checkProvider(1), { name })).rejects.toEqual(
        refusal(404, 'console.configuration_not_found'),
      );
  });
});
