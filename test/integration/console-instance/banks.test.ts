// cspell:ignore Albine
import { LIST_BANKS } from '../../../apps/console-server/src/operations/institutions/list-banks.js';
import { ONE_BANK } from '../../../apps/console-server/src/operations/institutions/one-bank.js';
import {
  PAUSE_BANK,
  RESUME_BANK,
} from '../../../apps/console-server/src/operations/institutions/pause-bank.js';
import { PAGE_SIZE } from '../../../apps/console-server/src/operations/page-size.js';
import { searchable } from '../../../domain/institutions/search-text.js';
import { runCommand } from '../../support/actors/operator.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { ask, env, instanceOfFile, recorded, refusal } from './support/instance-stage.js';

instanceOfFile();

const NOW = new Date('2026-03-01T10:00:00Z');
const hoursLater = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const BANK = { institution_id: 'test-bank' };

/** A bank with a route through `feed`. */
const storeBank = (institutionId: string, name: string) =>
  storage.ctx.database.prisma.institution.create({
    data: {
      institutionId,
      name,
      country: 'GB',
      environment: 'live',
      login: 'form',
      searchText: searchable(name),
      routes: {
        create: {
          provider: 'feed',
          remoteId: institutionId,
          login: 'form',
          products: [],
          health: 'degraded',
        },
      },
    },
  });

const storeCalls = (
  institutionId: string,
  operation: 'login' | 'fetch',
  { failures = 0, successes = 0, changedAt = NOW }: Record<string, number | Date>,
) =>
  storage.ctx.database.prisma.routeHealth.create({
    data: {
      ...{ institutionId, provider: 'feed', operation, changedAt: changedAt as Date },
      ...{ failures: Number(failures), successes: Number(successes) },
      lastCause: Number(failures) > 0 ? 'institution_timeout' : null,
      lastOkAt: new Date('2026-03-01T09:00:00Z'),
    },
  });

const idsOf = async (input: object) => {
  const { banks } = await ask(LIST_BANKS, input, { now: NOW });
  return banks.map(({ institution_id: id }) => id);
};

beforeAll(async () => {
  await storeBank('north', 'Alpine Union');
  await storeBank('south', 'Credit House');
  await storeBank('west', 'Western Bank');
  await storeCalls('north', 'login', { failures: 9, successes: 1 });
  await storeCalls('north', 'fetch', { successes: 10 });
  await storeCalls('south', 'login', { successes: 10 });
  // Half is forgotten in ten minutes.
  await storeCalls('west', 'login', {
    failures: 9,
    changedAt: new Date('2026-03-01T09:00:00Z'),
  });
});

describe('The list of banks', () => {
  it('shows for each route its recent logins and refreshes, with the last success and cause of the worse', async () => {
    const { banks } = await ask(LIST_BANKS, { name: 'alpine' }, { now: NOW });
    expect(banks).toEqual([
      {
        institution_id: 'north',
        name: 'Alpine Union',
        country: 'GB',
        environment: 'live',
        is_hidden: false,
        paused: null,
        routes: [
          {
            provider: 'feed',
            login: 'down',
            refresh: 'operational',
            since: '2026-03-01T09:00:00.000Z',
            cause: 'institution_timeout',
            reported: 'degraded',
            is_unreachable: false,
            paused: null,
          },
        ],
      },
    ]);
  });

  it('names no cause of a route that works, and knows nothing of one that was not called', async () => {
    const { banks } = await ask(LIST_BANKS, { name: 'credit' }, { now: NOW });
    expect(banks[0]?.routes).toEqual([
      expect.objectContaining({ login: 'operational', refresh: 'unknown', cause: null }),
    ]);
  });

  it('with `health=bad` shows those whose calls fail now, and not those whose failures are old', async () => {
    expect(await idsOf({ health: 'bad' })).toEqual(['north']);
    expect(await idsOf({ health: 'bad', name: 'credit' })).toEqual([]);
    expect(await idsOf({ health: 'bad', name: 'alpine' })).toEqual(['north']);
  });

  it('finds a bank by part of its name, by a name with a typo, and by its id', async () => {
    expect(await idsOf({ name: 'house' })).toContain('south');
    expect(await idsOf({ name: 'Albine Union' })).toContain('north');
    expect(await idsOf({ name: 'west' })).toContain('west');
    expect(await idsOf({ name: 'quite another' })).toEqual([]);
  });

  it('has pages in the order of ids, which hold every bank once', async () => {
    for (let n = 0; n < PAGE_SIZE; n += 1) await storeBank(`page-${n}`, `Paged ${n}`);
    const first = await ask(LIST_BANKS, {});
    expect(first.banks).toHaveLength(PAGE_SIZE);
    const second = await ask(LIST_BANKS, { cursor: first.next_cursor ?? '' });
    expect(second.next_cursor).toBeNull();
    const ids = [...first.banks, ...second.banks].map(({ institution_id: id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(PAGE_SIZE + 4);
    expect(await ask(LIST_BANKS, { name: 'paged' })).toMatchObject({ next_cursor: null });
  });
});

describe('One bank', () => {
  it('explains its routes as `routes explain` does, with a sentence for each reason', async () => {
    const { explained, ...bank } = await ask(ONE_BANK, { institution_id: 'north' }, { now: NOW });
    expect(bank).toMatchObject({ institution_id: 'north', routes: [{ login: 'down' }] });
    const { stdout } = await runCommand(['routes', 'explain', 'north', '--json'], env);
    expect(explained.map(({ why: _, ...route }) => route)).toEqual(JSON.parse(stdout));
    expect(explained.every(({ why }) => why.length > 0)).toBe(true);
  });

  it('that does not exist is not found', async () => {
    await expect(ask(ONE_BANK, { institution_id: 'none' })).rejects.toEqual(
      refusal(404, 'console.institution_not_found'),
    );
  });
});

describe('A pause of a bank', () => {
  const pausedOf = async () => (await ask(ONE_BANK, BANK)).paused;

  it('shows who made it, until when and why, and is gone once it is resumed', async () => {
    const until = hoursLater(2).toISOString();
    expect(await ask(PAUSE_BANK, { ...BANK, until, reason: 'it is being repaired' })).toEqual({
      paused: true,
      paused_until: until,
    });
    expect(await pausedOf()).toEqual({
      scope: 'institution',
      until,
      by: 'link:ann',
      reason: 'it is being repaired',
    });
    expect(await ask(RESUME_BANK, BANK)).toEqual({ paused: false, paused_until: null });
    expect(await pausedOf()).toBeNull();
  });

  it('without an end lasts until it is resumed, and shows that of the provider at its routes', async () => {
    expect(await ask(PAUSE_BANK, BANK)).toEqual({ paused: true, paused_until: null });
    expect(await pausedOf()).toMatchObject({ until: null, reason: null });
    await ask(RESUME_BANK, BANK);
    await runCommand(['--by', 'bob', 'providers', 'pause', 'feed', '--reason', 'quota'], env);
    const { routes, paused } = await ask(ONE_BANK, { institution_id: 'north' });
    expect(paused).toBeNull();
    expect(routes[0]?.paused).toEqual({
      scope: 'provider',
      until: null,
      by: 'bob',
      reason: 'quota',
    });
  });

  it('is over at its end', async () => {
    await ask(PAUSE_BANK, { ...BANK, until: hoursLater(1).toISOString() });
    expect((await ask(ONE_BANK, BANK, { now: hoursLater(2) })).paused).toBeNull();
    await ask(RESUME_BANK, BANK);
  });

  it('leaves the same record as its command', async () => {
    const from = (await recorded()).length;
    await ask(PAUSE_BANK, { ...BANK, reason: 'repair' });
    await ask(RESUME_BANK, { ...BANK, reason: 'done' });
    const ofConsole = (await recorded()).slice(from);
    expect(ofConsole).toHaveLength(4);
    for (const [action, reason] of [
      ['pause', 'repair'],
      ['resume', 'done'],
    ] as const)
      await runCommand(
        ['--by', 'link:ann', 'institutions', action, 'test-bank', '--reason', reason],
        env,
      );
    expect((await recorded()).slice(from + ofConsole.length)).toEqual(ofConsole);
  });

  it('is refused for an unknown bank and for a time that is over', async () => {
    await expect(ask(PAUSE_BANK, { institution_id: 'none' })).rejects.toEqual(
      refusal(404, 'console.institution_not_found'),
    );
    await expect(ask(RESUME_BANK, { institution_id: 'none' })).rejects.toEqual(
      refusal(404, 'console.institution_not_found'),
    );
    await expect(ask(PAUSE_BANK, { ...BANK, until: '2020-01-01T00:00:00Z' })).rejects.toEqual(
      refusal(422, 'console.time_is_past'),
    );
    expect(await pausedOf()).toBeNull();
  });
});
