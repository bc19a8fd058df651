import { Decimal } from 'decimal.js';
import type { FetchedLiability } from '../../../domain/liabilities/liability.js';
import { PRODUCTS } from '../../../domain/link/products.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { LiabilityRepository } from '../../../prisma/links/liabilities/liability.repository.js';
import { cardDebt, debt } from '../../support/fixtures/sent-debt.js';
import {
  announcementsOf,
  beginFetch,
  storage,
  storageOfFile,
  storeLink,
  TENANT,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const unreadable = (providerAccountId: string | null): IncompleteAccount => ({
  providerAccountId,
  name: null,
  reason: 'unreadable',
  resource: 'liability',
  field: '',
  fault: 'wrong_type',
});

/** Stores one fetch of debts, as the worker does. */
async function store(
  link: StoredLink,
  debts: FetchedLiability[],
  incomplete: IncompleteAccount[] = [],
): Promise<number> {
  const run = await beginFetch(storage, link, 'liabilities');
  const { changed } = await storage.refresh.storeLiabilities(link.linkId, run, debts, incomplete);
  return changed;
}

const newLink = () => storeLink(storage, { products: PRODUCTS });
const read = (
  link: StoredLink,
  query: { accountIds?: string[]; after?: bigint; limit?: number } = {},
) => new LiabilityRepository(storage.ctx).list(TENANT, link.linkId, { limit: 100, ...query });
/** The balances of the stored debts, by the names that the bank has for their accounts. */
async function balances(link: StoredLink): Promise<Record<string, number | null>> {
  const names = new Map([...link.accounts].map(([name, id]) => [id, name]));
  const { bodies } = await read(link);
  return Object.fromEntries(
    bodies.map((body) => {
      const { account_id: id, balance } = JSON.parse(body) as {
        account_id: string;
        balance: number | null;
      };
      return [names.get(id), balance];
    }),
  );
}
const rowOf = (link: StoredLink, name: string) =>
  storage.ctx.database.prisma.liability.findFirst({
    where: { account: { accountId: link.accounts.get(name) ?? '' } },
  });

describe('The debts of a link', () => {
  it('are stored for open accounts that the user permits, and complete their product', async () => {
    const link = await newLink();
    const sent = [cardDebt('card'), debt('checking'), debt('private'), debt('unknown')];
    expect(await store(link, sent)).toBe(2);
    expect(await balances(link)).toEqual({ card: 412.07, checking: 9400 });
    expect(await announcementsOf(storage, link)).toEqual(['product_refresh liabilities completed']);
  });

  it('are not written again when nothing about them changed', async () => {
    const link = await newLink();
    const stamps = async () =>
      (
        await storage.ctx.database.pool.query(
          'SELECT account_pk, ctid::text FROM liabilities ORDER BY account_pk',
        )
      ).rows;
    await store(link, [cardDebt('card'), debt('checking')]);
    const before = await stamps();
    expect(await store(link, [debt('checking'), cardDebt('card')])).toBe(0);
    expect(await stamps()).toEqual(before);
    expect(await store(link, [cardDebt('card', { isOverdue: true }), debt('checking')])).toBe(1);
    expect((await rowOf(link, 'card'))?.body).toContain('"is_overdue":true');
  });

  it('end for an account that a complete response lacks', async () => {
    const link = await newLink();
    await store(link, [cardDebt('card'), debt('checking')]);
    expect(await store(link, [cardDebt('card')])).toBe(1);
    expect(await balances(link)).toEqual({ card: 412.07 });
  });

  it('stay for an account whose data is incomplete, and others change', async () => {
    const link = await newLink();
    await store(link, [cardDebt('card'), debt('checking')]);
    const paid = debt('checking', { balance: new Decimal('1') });
    expect(await store(link, [paid], [unreadable('card')])).toBe(1);
    expect(await balances(link)).toEqual({ card: 412.07, checking: 1 });
    expect(await store(link, [], [unreadable(null)])).toBe(0);
    expect(await store(link, [cardDebt('card')], [unreadable('card')])).toBe(1);
    expect(await balances(link)).toEqual({ card: 412.07 });
  });

  it('are not read from a closed account, and are gone with a deleted one', async () => {
    const link = await newLink();
    await store(link, [cardDebt('card'), debt('checking')]);
    const card = { accountId: link.accounts.get('card') ?? '' };
    const { prisma } = storage.ctx.database;
    await prisma.account.update({ where: card, data: { closed: true } });
    expect(await balances(link)).toEqual({ checking: 9400 });
    await prisma.account.delete({ where: card });
    expect(await rowOf(link, 'card')).toBeNull();
  });

  it('are read page by page and by account, and only by their tenant', async () => {
    const link = await newLink();
    await store(link, [cardDebt('card'), debt('checking')]);
    const all = await read(link);
    expect(all).toMatchObject({ bodies: { length: 2 }, next: null });
    const first = await read(link, { limit: 1 });
    expect(first.bodies).toEqual(all.bodies.slice(0, 1));
    expect(await read(link, { limit: 1, after: first.next ?? 0n })).toEqual({
      bodies: all.bodies.slice(1),
      next: null,
    });
    const card = link.accounts.get('card') ?? '';
    const { bodies } = await read(link, { accountIds: [card, 'acc_unknown'] });
    expect(bodies).toEqual(all.bodies.filter((body) => body.includes(card)));
    const reader = new LiabilityRepository(storage.ctx);
    for (const tenant of [
      { ...TENANT, appId: 'other' },
      { ...TENANT, environment: 'live' as const },
    ])
      expect((await reader.list(tenant, link.linkId, { limit: 9 })).bodies).toEqual([]);
  });
});
