import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { contentOf } from '../../../../domain/digests/row-content.js';
import type { MatchableRow } from '../../../../domain/transactions/match-transactions.js';
import { idOfOne, resolveSharedIds } from '../../../../domain/transactions/shared-ids.js';

const row = (id: string, amount: string, fields: Partial<MatchableRow> = {}): MatchableRow => ({
  id,
  accountId: 'acc',
  amount: new Decimal(amount),
  type: 'debit',
  currency: 'USD',
  date: '2026-03-02',
  pending: false,
  texts: [`For ${amount}`, null],
  ...fields,
});
const ownId = (sharing: MatchableRow): string =>
  idOfOne(
    'T1',
    contentOf({
      ...sharing,
      description: sharing.texts[0] ?? null,
      rawDescription: sharing.texts[1] ?? null,
    }),
  );
const P = row('T1', '100.00');
const F = row('T1', '3.00');
const own = (sharing: MatchableRow) => ({ ...sharing, id: ownId(sharing) });
const resolve = (
  stored: readonly MatchableRow[],
  fetched: readonly MatchableRow[],
  isIncomplete = false,
) => {
  const { stored: renamed, fetched: ids } = resolveSharedIds(stored, fetched, () => isIncomplete);
  return { renamed: Object.fromEntries(renamed), ids: Object.fromEntries(ids) };
};
const NOTHING = { renamed: {}, ids: {} };

describe('Rows that share an id', () => {
  it('leave every other row alone', () => {
    expect(resolve([P], [row('T1', '101.00')])).toEqual(NOTHING);
    expect(resolve([own(P), own(F)], [row('T2', '100.00'), own(F), own(P)])).toEqual(NOTHING);
  });

  it('keep the row that was listed alone before, in any order', () => {
    for (const fetched of [
      [own(P), own(F)],
      [own(F), own(P)],
    ])
      expect(resolve([P], fetched)).toEqual({ renamed: { T1: ownId(P) }, ids: {} });
  });

  it('are recognized when one of them is listed alone', () => {
    for (const alone of [P, F])
      expect(resolve([own(P), own(F)], [alone])).toEqual({
        renamed: {},
        ids: { T1: ownId(alone) },
      });
  });

  it('stay one row each when one is corrected beside the other', () => {
    const corrected = { ...P, amount: new Decimal(101) };
    expect(resolve([own(P), own(F)], [own(F), own(corrected)])).toEqual({
      renamed: { [ownId(P)]: ownId(corrected) },
      ids: {},
    });
    expect(resolve([P], [own(corrected), own(F)])).toEqual({
      renamed: { T1: ownId(corrected) },
      ids: {},
    });
  });

  it('of which one is left are corrected like any other row', () => {
    const corrected = row('T1', '4.00', { texts: ['New text', null], date: '2026-03-05' });
    expect(resolve([own(F)], [corrected])).toEqual({
      renamed: { [ownId(F)]: ownId(corrected) },
      ids: { T1: ownId(corrected) },
    });
  });

  it('do not take a row for another one that an incomplete response omits', () => {
    const next = row('T1', '100.00', { texts: ['Next'] });
    const unlisted = resolve([own(P), own(F)], [own(F), own(next)], true);
    expect(unlisted).toEqual(NOTHING);
    expect(resolve([P], [own(next), own(F)], true).renamed).toEqual({ T1: ownId(P) });
  });

  it('do not take each other for corrections under the shared id as it is', () => {
    const renamed = { T1: ownId(P) };
    expect(resolve([P, own(F)], [F])).toEqual({ renamed, ids: { T1: ownId(F) } });
  });

  it('are two purchases at one shop if their days are far apart', () => {
    const later = { ...P, date: '2026-04-02' };
    expect(resolve([own(P), own(F)], [own(F), own(later)])).toEqual(NOTHING);
  });

  it('keep their ids over listings of any of them, once they have been listed together', () => {
    const amounts = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 5 });
    const listings = amounts.chain((all) =>
      fc.tuple(fc.constant(all), fc.array(fc.shuffledSubarray(all, { minLength: 1 }))),
    );
    fc.assert(
      fc.property(listings, ([all, subsets]) => {
        const rows = all.map((amount) => row('T1', String(amount)));
        // One of them came first, alone.
        let stored = rows.slice(0, 1);
        for (const amounts of [all, ...subsets]) {
          const listed = rows.filter(({ amount }) => amounts.includes(amount.toNumber()));
          const fetched = listed.length > 1 ? listed.map(own) : listed;
          const { renamed, ids } = resolve(stored, fetched, true);
          stored = stored.map((each) => ({ ...each, id: renamed[each.id] ?? each.id }));
          for (const each of fetched) {
            const id = ids[each.id] ?? each.id;
            const known = stored.find((it) => it.id === id);
            if (known === undefined) stored.push({ ...each, id });
            else expect(known.amount).toEqual(each.amount);
          }
          expect(stored).toHaveLength(all.length);
        }
      }),
    );
  });
});
