import { LIST_APPS } from '../../../apps/console-server/src/operations/apps/list-apps.js';
import { INSTANCE_START } from '../../../apps/console-server/src/operations/instance-start/instance-start.js';
import {
  APPS_IN_NEED,
  MAX_APPS,
} from '../../../apps/console-server/src/operations/instance-start/apps-in-need.js';
import { INSTANCE_OPERATIONS } from '../../../apps/console-server/src/operations/instance-operations.js';
import { LIST_KEYS } from '../../../apps/console-server/src/operations/keys/list-keys.js';
import { PAGE_SIZE } from '../../../apps/console-server/src/operations/page-size.js';
import { listParts } from '../../../apps/console-server/src/operations/parts/list-parts.js';
import { LIST_RECORD } from '../../../apps/console-server/src/operations/record/list-record.js';
import { openService } from '../../../apps/operator/src/service.js';
import { runCommand } from '../../support/actors/operator.js';
import { storage, storeLink } from '../../support/fixtures/stored-link.js';
import { storyOf } from '../links/support/story-of-link.js';
import { answered, ask, env, instanceOfFile } from './support/instance-stage.js';

instanceOfFile();

const LIST_PARTS = listParts(60_000);
const NOW = new Date('2026-03-01T10:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe('Operations of the instance', () => {
  it('are for operators alone, below `/instance`, and each change names its command', () => {
    for (const { call, roles, level, recorded } of INSTANCE_OPERATIONS) {
      expect([call, roles]).toEqual([call, ['operator']]);
      expect(call).toMatch(/^(GET|POST) \/instance\//);
      expect([call, recorded === undefined]).toEqual([call, level === 'read']);
      expect([call, level === 'read']).toEqual([call, call.startsWith('GET ')]);
    }
  });
});

describe('The list of apps', () => {
  it('has pages in the order of ids, which hold every app once', async () => {
    await storage.ctx.database.prisma.application.createMany({
      data: Array.from({ length: PAGE_SIZE }, (_, n) => ({ appId: `app-${n}`, name: `App ${n}` })),
    });
    const first = await ask(LIST_APPS, {});
    const second = await ask(LIST_APPS, { cursor: first.next_cursor ?? '' });
    expect(first.apps).toHaveLength(PAGE_SIZE);
    expect(second).toEqual({
      apps: [
        {
          app_id: 'pocket-ledger',
          name: 'Pocket Ledger',
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      next_cursor: null,
    });
    const ids = first.apps.map(({ app_id: id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe('The start of an instance', () => {
  it('counts links in error, banks that are down and broken configurations, and keeps the answer for 15 seconds', async () => {
    const { prisma } = storage.ctx.database;
    await storeLink(storage, { state: 'error', errorCode: 'auth_error' });
    await storeLink(storage);
    await prisma.link.updateMany({ data: { connectedAt: NOW } });
    await prisma.routeHealth.createMany({
      data: (['login', 'fetch'] as const).map((operation) => ({
        ...{ institutionId: 'test-bank', provider: 'sandbox', operation },
        ...{ successes: 0, failures: 9, changedAt: NOW },
      })),
    });
    const configuration = { adapter: 'trial', environment: 'live', settings: {}, broken: true };
    await prisma.providerConfiguration.createMany({
      data: [
        { ...configuration, name: 'feed' },
        { ...configuration, name: 'off', enabled: false },
      ],
    });
    const first = await ask(INSTANCE_START, {}, { now: NOW });
    expect(first).toMatchObject({
      sentence_parts: {
        links_in_error: 1,
        banks_down: 1,
        receivers_refusing: 0,
        events_abandoned: 0,
        configurations_broken: 1,
      },
      read_at: NOW.toISOString(),
    });
    expect(first.waiting.map(({ name }) => name)).toEqual([
      'commands',
      'links_due',
      'refresh_requests',
      'webhooks',
    ]);
    await prisma.providerConfiguration.updateMany({ data: { broken: false } });
    expect(await ask(INSTANCE_START, {}, { now: later(14_999) })).toEqual(first);
    const next = await ask(INSTANCE_START, {}, { now: later(15_000) });
    expect(next.sentence_parts.configurations_broken).toBe(0);
    // An hour without calls clears an outage.
    const hourLater = await ask(INSTANCE_START, {}, { now: later(3_600_000) });
    expect(hourLater.sentence_parts.banks_down).toBe(0);
  });
});

describe('The apps that need attention', () => {
  const inNeed = (of: string, cursor?: string) => ask(APPS_IN_NEED, { of, cursor });

  it('are those with links in error, with abandoned events, and with receivers that refuse, each with its number', async () => {
    const story = await storyOf(storage, NOW);
    const { prisma } = storage.ctx.database;
    await prisma.link.updateMany({ data: { errorCode: null, state: 'connected' } });
    await prisma.link.update({
      where: { pk: story.link.pk },
      data: { state: 'error', errorCode: 'auth_expired', connectedAt: NOW },
    });
    const of = async (status: string, more: object) =>
      story.delivery(await story.event(1, { webhook_event: 'x' }), { status, ...more });
    await of('exhausted', {});
    await of('exhausted', {});
    const retried = { inWorkflow: true, nextAttemptAt: NOW };
    await of('pending', { ...retried, endpoint: 'https://one.example:443', attempts: 3 });
    await of('pending', { ...retried, endpoint: 'https://two.example:443', attempts: 2 });
    const app = { app_id: 'pocket-ledger', name: 'Pocket Ledger', environment: 'sandbox' };
    const answer = (count: number) => ({
      apps: [{ ...app, count }],
      limit: 1_000,
      next_cursor: null,
    });
    expect(await inNeed('links')).toEqual(answer(1));
    expect(await inNeed('events')).toEqual(answer(2));
    expect(await inNeed('receivers')).toEqual(answer(1));
    const { sentence_parts: parts } = await ask(INSTANCE_START, {}, { now: later(86_400_000) });
    expect(parts).toMatchObject({
      links_in_error: 1,
      events_abandoned: 2,
      receivers_refusing: 1,
    });
  });

  it('are looked at by pages of their ids, and a page without any leads to the next', async () => {
    await storage.ctx.database.prisma.application.createMany({
      data: Array.from({ length: MAX_APPS }, (_, n) => ({ appId: `before-${n}`, name: 'App' })),
      skipDuplicates: true,
    });
    const ids = (
      await storage.ctx.database.prisma.application.findMany({ orderBy: { appId: 'asc' } })
    ).map(({ appId }) => appId);
    const first = await inNeed('links');
    expect(first).toEqual({ apps: [], limit: 1_000, next_cursor: ids[MAX_APPS - 1] });
    const second = await inNeed('links', first.next_cursor ?? '');
    expect(second).toMatchObject({ apps: [{ app_id: 'pocket-ledger' }], next_cursor: null });
  });
});

describe('The parts of an instance', () => {
  it('are ok with their database, and without an address of Temporal none of it is named', async () => {
    const { parts, version, waiting } = await ask(LIST_PARTS, {}, { now: NOW });
    expect(version).toMatch(/^\d/);
    expect(parts.map(({ name }) => name)).toContain('database');
    expect(parts.map(({ name }) => name)).not.toContain('temporal');
    expect(parts.find(({ name }) => name === 'database')).toEqual({
      name: 'database',
      ok: true,
      detail: null,
      remedy: null,
    });
    expect(waiting).toHaveLength(4);
  });

  it('name the cause and the remedy where Temporal does not respond', async () => {
    const at = openService({ ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    try {
      const { parts } = await ask(LIST_PARTS, {}, { now: NOW, at });
      expect(parts.find(({ name }) => name === 'temporal')).toEqual({
        name: 'temporal',
        ok: false,
        detail: expect.stringMatching(/./),
        remedy: expect.stringMatching(/./),
      });
      expect(parts.find(({ name }) => name === 'database')?.ok).toBe(true);
    } finally {
      await at.close();
    }
  });

  it('are answered without a database, with its cause and without waiting work', async () => {
    const at = openService({ ...env, DATABASE_URL: 'postgresql://none:x@127.0.0.1:1/none' });
    try {
      const { parts, waiting } = await ask(LIST_PARTS, {}, { now: NOW, at });
      expect(waiting).toBeNull();
      expect(parts.find(({ name }) => name === 'database')).toMatchObject({
        ok: false,
        detail: expect.stringMatching(/./),
        remedy: expect.stringMatching(/./),
      });
    } finally {
      await at.close();
    }
  });

  it('name the process to look at once work waits too long', async () => {
    const { prisma } = storage.ctx.database;
    const remedyAt = async (createdAt: Date) => {
      await prisma.outboxCommand.deleteMany();
      await prisma.outboxCommand.create({ data: { kind: 'test', payload: {}, createdAt } });
      const at = openService(env);
      try {
        const { waiting } = await ask(LIST_PARTS, {}, { at });
        return waiting?.find(({ name }) => name === 'commands');
      } finally {
        await at.close();
        await prisma.outboxCommand.deleteMany();
      }
    };
    expect(await remedyAt(new Date())).toMatchObject({ waiting: 1, remedy: null });
    expect(await remedyAt(new Date(Date.now() - 600_000))).toMatchObject({
      waiting: 1,
      remedy: expect.stringContaining('worker'),
    });
  });
});

describe('The keys of an instance', () => {
  it('are shown by their state and use, without any private part', async () => {
    const { prisma } = storage.ctx.database;
    await prisma.signingKey.createMany({
      data: [
        ['next', later(3_600_000), null],
        ['now', later(-1), null],
        ['before', later(-86_400_000), later(60_000)],
        ['gone', later(-2 * 86_400_000), later(-1)],
      ].map(([kid, activeFrom, retiredAt]) => ({
        ...{ kid: String(kid), keySet: 'toy', publicJwk: { x: 'jwk-canary' } },
        ...{ activeFrom: activeFrom as Date, retiredAt: retiredAt as Date | null },
        ...{ sealedPrivate: Buffer.from('sealed-canary'), createdAt: later(-3 * 86_400_000) },
      })),
    });
    await prisma.dataKey.create({
      data: { owner: 'link/1', masterKeyId: 'test', wrapped: Buffer.from('wrapped-canary') },
    });
    const { signing, master } = await ask(LIST_KEYS, {}, { now: NOW });
    const own = signing.filter(({ set }) => set === 'toy');
    expect(own.map(({ key_id: id, state }) => [id, state])).toEqual([
      ['next', 'next'],
      ['now', 'signing'],
      ['before', 'previous'],
      ['gone', 'retired'],
    ]);
    expect(master[0]).toMatchObject({ key_id: 'test', is_current: true, place: 'current' });
    expect(master[0]?.counts.data_keys).toBeGreaterThan(0);
    expect(answered.join()).not.toMatch(/canary/);
    expect(answered.join()).not.toContain(storage.masterKey.toString('base64'));
    await prisma.signingKey.deleteMany({ where: { keySet: 'toy' } });
  });

  it('count as the command does below a thousand', async () => {
    const { stdout } = await runCommand(['keys', 'master', 'list', '--json'], env);
    const printed = JSON.parse(stdout) as { key_id: string; data_keys: number }[];
    const { master } = await ask(LIST_KEYS, {});
    expect(master.map(({ key_id: id, counts }) => [id, counts.data_keys])).toEqual(
      printed.map(({ key_id: id, data_keys: count }) => [id, count]),
    );
  });
});

describe('The record of operators in the console', () => {
  it('has the same rows as `record`, newest first, page by page', async () => {
    const { prisma } = storage.ctx.database;
    await prisma.operatorAction.createMany({
      data: Array.from({ length: PAGE_SIZE + 5 }, (_, n) => ({
        ...{ actor: n % 2 === 0 ? 'ann' : 'bob', action: 'links move', outcome: 'succeeded' },
        subject: `mk_${n}`,
      })),
    });
    const first = await ask(LIST_RECORD, { action: 'links move' });
    expect(first.rows[0]).toEqual({
      number: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/Z$/),
      actor: 'ann',
      action: 'links move',
      subject: `mk_${PAGE_SIZE + 4}`,
      outcome: 'succeeded',
    });
    expect(first.rows).toHaveLength(PAGE_SIZE);
    const second = await ask(LIST_RECORD, { action: 'links move', before: first.before ?? '' });
    expect(second.rows.map(({ subject }) => subject)).toEqual([
      'mk_4',
      'mk_3',
      'mk_2',
      'mk_1',
      'mk_0',
    ]);
    const { rows } = await ask(LIST_RECORD, { actor: 'bob', subject: 'mk_3' });
    expect(rows.map(({ actor, subject }) => [actor, subject])).toEqual([['bob', 'mk_3']]);
  });
});
