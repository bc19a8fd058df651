import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import {
  account,
  beginFetch,
  openStorage,
  storeLink,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const EVERY_DAY = { start: '0001-01-01', end: '9999-12-31' };
const HOUR = 3_600_000;

let storage: Storage;
let accounts: AccountRepository;
let now = Date.parse('2026-03-02T10:00:00Z');
beforeAll(async () => {
  storage = await openStorage(() => new Date(now));
  accounts = new AccountRepository(storage.ctx);
});
afterAll(() => storage?.close());

/** A refresh in which the bank lists these balances of the checking account; the card stays. */
async function refresh(link: StoredLink, current: string | null): Promise<void> {
  const listed = [
    account('checking', {
      current: current === null ? null : new Decimal(current),
      available: null,
    }),
    account('card'),
  ];
  await storage.refresh.storeAccounts(
    link.linkId,
    await beginFetch(storage, link, 'accounts'),
    listed,
  );
}

async function historyOf(link: StoredLink, providerAccountId = 'checking', days = EVERY_DAY) {
  const rows = await accounts.balancesOf(TENANT, link.accounts.get(providerAccountId) ?? '', days);
  return rows.map(({ day, current }) => [day, current] as const);
}

describe('The balance history of an account (native-api 3.5)', () => {
  it('has one row for each day on which a refresh changed the balances: the last ones of the day', async () => {
    const link = await storeLink(storage);
    const first = utcDay(new Date(now));
    for (const current of ['1.00', '2.50', '2.50']) await refresh(link, current);
    now += 24 * HOUR;
    await refresh(link, '2.50');
    now += 24 * HOUR;
    for (const current of ['3.00', null]) await refresh(link, current);
    expect(await historyOf(link)).toEqual([
      [first, '2.5'],
      [addDays(first, 2), '3'],
    ]);
  });

  it('begins with the row before the first day that is asked for', async () => {
    const link = await storeLink(storage);
    const first = utcDay(new Date(now));
    for (const current of ['1', '2', '3', '4']) {
      await refresh(link, current);
      now += 48 * HOUR;
    }
    const between = (from: number, to: number) =>
      historyOf(link, 'checking', { start: addDays(first, from), end: addDays(first, to) });
    expect(await between(3, 4)).toEqual([
      [addDays(first, 2), '2'],
      [addDays(first, 4), '3'],
    ]);
    expect(await between(2, 2)).toEqual([
      [first, '1'],
      [addDays(first, 2), '2'],
    ]);
    expect(await between(-9, -1)).toEqual([]);
    expect(await between(7, 9)).toEqual([[addDays(first, 6), '4']]);
  });

  it('leaves out accounts that the user does not share, and is erased with the link', async () => {
    const link = await storeLink(storage);
    await refresh(link, '77.01');
    expect(await historyOf(link, 'private')).toEqual([]);
    const { prisma } = storage.ctx.database;
    const ofLink = { account: { linkPk: link.pk } };
    expect(await prisma.accountBalance.count({ where: ofLink })).toBeGreaterThan(0);
    const rows = await prisma.account.findMany({ where: { linkPk: link.pk } });
    await prisma.account.deleteMany({ where: { linkPk: link.pk } });
    expect(
      await prisma.accountBalance.count({ where: { accountPk: { in: rows.map(({ pk }) => pk) } } }),
    ).toBe(0);
  });

  it('tells the balances of every day, whatever the order of refreshes', async () => {
    const link = await storeLink(storage);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            hours: fc.integer({ min: 0, max: 60 }),
            current: fc.constantFrom('1', '2', '3', null),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        async (refreshes) => {
          await storage.ctx.database.prisma.accountBalance.deleteMany();
          // No run ends with it, so each begins with a change.
          let known = '0.5';
          await refresh(link, known);
          const from = utcDay(new Date(now));
          const stored = new Map([[from, known]]);
          for (const { hours, current } of refreshes) {
            now += hours * HOUR;
            await refresh(link, current);
            // A response without balances keeps the last ones.
            known = current ?? known;
            stored.set(utcDay(new Date(now)), known);
          }
          const rows = await historyOf(link);
          const days = rows.map(([day]) => day);
          expect(days).toEqual([...new Set(days)].sort());
          let last: string | null = null;
          for (let day = from; day <= utcDay(new Date(now)); day = addDays(day, 1)) {
            if (stored.has(day)) last = stored.get(day) ?? null;
            const recorded = rows.findLast(([of]) => of <= day)?.[1] ?? null;
            expect(recorded).toEqual(last);
          }
          now += 24 * HOUR;
          await refresh(link, '1');
        },
      ),
      { numRuns: process.env['LONG_RUNS'] ? 200 : 15 },
    );
  });
});
