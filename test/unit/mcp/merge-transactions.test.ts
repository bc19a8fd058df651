import fc from 'fast-check';
import type { Link, Transaction, TransactionsListResult } from '../../../clients/node/src/index.js';
import { mergeTransactions } from '../../../clients/mcp/src/links/merge-transactions.js';
import {
  inOrder,
  TransactionWalk,
  type Position,
} from '../../../clients/mcp/src/links/transaction-walk.js';
import { SEED } from '../../support/runner/seed.js';

const SIZE = 3;

/** Few days and ids that are drawn, so that rows of several links share a day. */
const row = fc.record({
  date: fc.integer({ min: 1, max: 4 }).map((day) => `2026-03-0${day}T00:00:00`),
  transaction_id: fc.stringMatching(/^[0-9A-Za-z]{3}$/).map((id) => `txn_${id}`),
  amount: fc.integer({ min: 0, max: 9 }),
});
type Row = Pick<Transaction, 'date' | 'transaction_id' | 'amount'>;
const links = fc
  .uniqueArray(row, { selector: ({ transaction_id: id }) => id, maxLength: 60 })
  .chain((rows) =>
    fc
      .array(fc.integer({ min: 0, max: 4 }), { minLength: rows.length, maxLength: rows.length })
      .map((owners) =>
        [0, 1, 2, 3, 4].map((link) => rows.filter((_, index) => owners[index] === link)),
      ),
  );

const idOf = (index: number) => `mk_${index}`;
const sorted = (rows: readonly Row[]) => rows.toSorted(inOrder);

/** The rows of one link in pages, as the service returns them; `requests` counts them. */
class StoredLink {
  requests = 0;
  constructor(
    readonly id: string,
    public rows: readonly Row[],
  ) {}

  read = (page: number): Promise<TransactionsListResult> => {
    this.requests += 1;
    return Promise.resolve({
      total: this.rows.length,
      page,
      size: SIZE,
      transactions: sorted(this.rows).slice((page - 1) * SIZE, page * SIZE) as Transaction[],
      accounts: [],
      link: { link_id: this.id } as Link,
    });
  };

  open = (after: Position | null) => TransactionWalk.open(this.read, SIZE, after);
}

const stored = (rows: readonly (readonly Row[])[]) =>
  rows.map((ofLink, index) => new StoredLink(idOf(index), ofLink));

interface Part {
  maxCompared: number;
  maxRows: number;
  wanted: (row: Row) => boolean;
  fill?: (walk: TransactionWalk) => Promise<'filled' | 'failed' | 'stopped'>;
}

async function merge(of: readonly StoredLink[], after: Position | null, part: Part) {
  const walks = await Promise.all(of.map((link) => link.open(after)));
  return mergeTransactions(walks, {
    after,
    ...part,
    pick: (each, linkId) => (part.wanted(each) ? `${linkId} ${each.transaction_id}` : undefined),
    fill: part.fill ?? (async (walk) => (await walk.fill(), 'filled')),
  });
}

const expected = (rows: readonly (readonly Row[])[], wanted: (row: Row) => boolean) =>
  rows
    .flatMap((ofLink, index) => ofLink.map((each) => ({ each, linkId: idOf(index) })))
    .toSorted((a, b) => inOrder(a.each, b.each))
    .filter(({ each }) => wanted(each))
    .map(({ each, linkId }) => `${linkId} ${each.transaction_id}`);

describe('Transactions of several links', () => {
  it('are the rows of each in one order, every one once, however they are cut into parts', async () => {
    const bounds = fc.record({
      maxCompared: fc.integer({ min: 1, max: 20 }),
      maxRows: fc.integer({ min: 1, max: 10 }),
      least: fc.integer({ min: 0, max: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(links, bounds, async (rows, { least, ...bound }) => {
        let compared = 0;
        const wanted = ({ amount }: Row) => ((compared += 1), amount >= least);
        const found: string[] = [];
        let after: Position | null = null;
        do {
          compared = 0;
          const part = await merge(stored(rows), after, { ...bound, wanted });
          expect(compared).toBeLessThanOrEqual(bound.maxCompared);
          expect(part.rows.length).toBeLessThanOrEqual(bound.maxRows);
          found.push(...part.rows);
          expect(found.length).toBeLessThanOrEqual(rows.flat().length);
          expect(part.next).not.toEqual(after ?? {});
          after = part.next;
        } while (after !== null);
        expect(found).toEqual(expected(rows, wanted));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('leave out all rows of a link that fails on its way, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(links, fc.integer({ min: 0, max: 4 }), async (rows, broken) => {
        const all = { maxCompared: Infinity, maxRows: Infinity, wanted: () => true };
        const { rows: found, next } = await merge(stored(rows), null, {
          ...all,
          fill: async (walk) => {
            if (walk.link.link_id === idOf(broken)) return 'failed';
            await walk.fill();
            return 'filled';
          },
        });
        // One page needs no further reading, so it cannot fail.
        const others = rows.map((ofLink, index) =>
          index === broken && ofLink.length > SIZE ? [] : ofLink,
        );
        expect({ found, next }).toEqual({ found: expected(others, () => true), next: null });
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('continue behind the last row after a stop for lack of time', async () => {
    await fc.assert(
      fc.asyncProperty(links, async (rows) => {
        const found: string[] = [];
        let after: Position | null = null;
        do {
          const part = await merge(stored(rows), after, {
            maxCompared: Infinity,
            maxRows: Infinity,
            wanted: () => true,
            fill: () => Promise.resolve('stopped'),
          });
          found.push(...part.rows);
          expect(found.length).toBeLessThanOrEqual(rows.flat().length);
          expect(part.next).not.toEqual(after ?? {});
          after = part.next;
        } while (after !== null);
        expect(found).toEqual(expected(rows, () => true));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });
});

describe('The walk through the transactions of a link', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    date: '2026-03-01T00:00:00',
    transaction_id: `txn_${String(index).padStart(4, '0')}`,
    amount: 1,
  }));

  it('continues after a position in few requests, also among the rows of one day', async () => {
    for (const index of [0, 1, 2, 3, 1_499, 2_995, 2_998]) {
      const link = new StoredLink('mk_0', many);
      const walk = await link.open(many[index] as Position);
      expect(walk.first).toMatchObject({ transaction_id: many[index + 1]?.transaction_id });
      expect(link.requests).toBeLessThanOrEqual(14);
    }
    const atEnd = await new StoredLink('mk_0', many).open(many.at(-1) as Position);
    expect(atEnd.first).toBeUndefined();
  });

  it('shows no row twice when newer ones arrive meanwhile', async () => {
    const link = new StoredLink('mk_0', many.slice(0, 10));
    const walk = await link.open(null);
    const seen: string[] = [];
    for (; walk.first !== undefined; await walk.fill()) {
      seen.push((walk.take() as Row).transaction_id);
      expect(seen.length).toBeLessThanOrEqual(10);
      if (seen.length % SIZE !== 0) continue;
      const newer = { date: '2026-03-02T00:00:00', transaction_id: `txn_n${seen.length}` };
      link.rows = [...link.rows, { ...newer, amount: 1 }];
    }
    expect(seen).toEqual(many.slice(0, 10).map(({ transaction_id: id }) => id));
  });
});
