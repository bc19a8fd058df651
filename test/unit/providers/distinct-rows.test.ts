import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { ProviderTransaction, SourceFault } from '../../../providers/contract/provider.js';
import { contentOf } from '../../../domain/digests/row-content.js';
import { distinctRows } from '../../../providers/http/distinct-rows.js';
import { newRows } from '../../../providers/http/new-rows.js';
import { row } from '../../support/fixtures/stored-link.js';

const rowOf = (id: string, amount: string, fields: Partial<ProviderTransaction> = {}) =>
  row(id, { amount: new Decimal(amount), description: `For ${amount}`, ...fields });
const PURCHASE = rowOf('a/T1', '100.00');
const FEE = rowOf('a/T1', '3.00');
const idsOf = (rows: readonly ProviderTransaction[]) =>
  Object.fromEntries(
    distinctRows(rows, contentOf).map(({ providerTransactionId: id, amount }) => [
      amount.toFixed(),
      id,
    ]),
  );

describe('The rows of a listing', () => {
  it('have the ids of their source where each id is used for one row', () => {
    expect(idsOf([PURCHASE, rowOf('a/T2', '3.00')])).toEqual({ 100: 'a/T1', 3: 'a/T2' });
    expect(idsOf([PURCHASE])).toEqual({ 100: 'a/T1' });
  });

  it('that share an id are each kept under an id of their own, in any order', () => {
    const ids = idsOf([PURCHASE, FEE]);
    expect(ids).toEqual({
      100: expect.stringMatching(/^a\/T1\/content:[\w-]{43}$/),
      3: expect.stringMatching(/^a\/T1\/content:[\w-]{43}$/),
    });
    expect(ids['100']).not.toBe(ids['3']);
    expect(idsOf([FEE, PURCHASE, FEE])).toEqual(ids);
  });

  it('are one row if they share id and content, and the posted one counts', () => {
    const pending = { ...PURCHASE, pending: true };
    for (const rows of [
      [PURCHASE, pending],
      [pending, PURCHASE],
    ])
      expect(distinctRows(rows, contentOf)).toEqual([PURCHASE]);
  });

  it('are unchanged if their ids were distinct already', () => {
    const once = distinctRows([PURCHASE, FEE], contentOf);
    expect(distinctRows(once, contentOf)).toEqual(once);
  });

  it('are the same, whatever the order and the repetitions of the listing', () => {
    const id = fc.constantFrom('a/T1', 'a/T2');
    const listing = fc.array(
      fc.tuple(id, fc.constantFrom('1', '2', '3'), fc.boolean(), fc.constantFrom(null, 'x')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(
        listing.chain((rows) =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows, ...rows])),
        ),
        ([tuples, more]) => {
          const rows = (from: typeof tuples) =>
            from.map(([name, amount, pending, rawDescription]) =>
              rowOf(name, amount, { pending, rawDescription }),
            );
          const sorted = (read: ProviderTransaction[]) =>
            read.map((each) => JSON.stringify(each)).sort();
          expect(sorted(distinctRows(rows([...more, ...tuples]), contentOf))).toEqual(
            sorted(distinctRows(rows(tuples), contentOf)),
          );
        },
      ),
    );
  });
});

describe('The pages of a listing', () => {
  it('pass each row once, and a different one under its id with a note for the operator', () => {
    const faults: SourceFault[] = [];
    const isNew = newRows({ note: (fault) => void faults.push(fault) });
    expect([PURCHASE, FEE, { ...PURCHASE }, FEE].map(isNew)).toEqual([true, true, false, false]);
    expect(faults).toEqual([
      {
        scope: 'value',
        account: PURCHASE.providerAccountId,
        resource: 'transaction',
        field: 'id',
        reason: 'repeated',
      },
    ]);
  });
});
