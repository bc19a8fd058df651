import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import {
  currentRows,
  openStorage,
  row,
  versionsOf,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

let storage: Storage;
/** The rows that the source lists now, by a name of the test, which the source does not report. */
let listed: Map<string, FetchedTransaction>;
let idOf: (name: string) => string;
beforeAll(async () => {
  storage = await openStorage();
});
afterAll(() => storage.close());
beforeEach(() => {
  listed = new Map();
  idOf = () => randomUUID();
});

const provider = testProvider({
  facts: { ...GENEROUS_FACTS, transactionIds: 'unreliable' },
  async *fetchTransactions() {
    yield {
      transactions: [...listed].map(([name, fields]) => ({
        ...fields,
        providerTransactionId: idOf(name),
      })),
    };
  },
});
const fetchRows = (link: StoredLink) => refreshesAt(storage, provider).fetch(link, 'transactions');
const day = (back: number) => addDays(utcDay(new Date()), -back);
const list = (name: string, back: number, fields: Partial<FetchedTransaction> = {}) =>
  listed.set(name, row('', { date: day(back), ...fields }));
const NOTHING = { kind: 'stored', created: 0, updated: 0, removed: 0 };

/** Our ids of the rows of a day. */
async function idsOn(link: StoredLink, back: number): Promise<string[]> {
  const rows = await currentRows(storage, link);
  return rows
    .filter(({ date }) => utcDay(date) === day(back))
    .map(({ transactionId }) => transactionId)
    .sort();
}

/** A link with twins on one day, a row without text, the same coffee every day, and a salary. */
async function linkWithRows(): Promise<StoredLink> {
  const link = await storePermittedLink(storage);
  const other = { amount: new Decimal('12.00'), description: 'Tickets', rawDescription: null };
  list('twin 1', 20, other);
  list('twin 2', 20, other);
  list('without text', 21, { description: null, rawDescription: null });
  for (let back = 30; back < 36; back += 1) list(`coffee ${back}`, back);
  list('salary', 40, { amount: new Decimal(3_000), type: 'credit', description: 'Salary' });
  expect(await fetchRows(link)).toEqual({ ...NOTHING, created: listed.size });
  return link;
}

describe('A source that renews all ids at each fetch', () => {
  it('creates no duplicate, changes nothing and keeps our ids over several fetches', async () => {
    const link = await linkWithRows();
    const before = (await currentRows(storage, link)).map((version) => version.transactionId);
    for (let time = 0; time < 3; time += 1) expect(await fetchRows(link)).toEqual(NOTHING);
    const after = (await currentRows(storage, link)).map((version) => version.transactionId);
    expect(after.sort()).toEqual(before.sort());
    expect(await versionsOf(storage, link)).toHaveLength(listed.size);
  });

  it('adds a late third twin and a late row of an old day, and nothing else', async () => {
    const link = await linkWithRows();
    const twins = await idsOn(link, 20);
    const twin = listed.get('twin 1');
    if (twin === undefined) throw new Error('the test has no twin');
    listed.set('twin 3', twin);
    list('late', 33, { amount: new Decimal(80), description: 'Garage', rawDescription: null });
    expect(await fetchRows(link)).toEqual({ ...NOTHING, created: 2 });
    expect(await idsOn(link, 20)).toEqual(expect.arrayContaining(twins));
    expect(await idsOn(link, 20)).toHaveLength(3);
    expect(await fetchRows(link)).toEqual(NOTHING);
  });

  it('removes a withdrawn twin and keeps the id of the other', async () => {
    const link = await linkWithRows();
    const twins = await idsOn(link, 20);
    listed.delete('twin 1');
    expect(await fetchRows(link)).toEqual({ ...NOTHING, removed: 1 });
    const [left, ...more] = await idsOn(link, 20);
    expect({ twins, more }).toEqual({ twins: expect.arrayContaining([left]), more: [] });
  });

  it('keeps the id of a row that posts on another day for another amount', async () => {
    const link = await storePermittedLink(storage);
    list('hold', 3, { pending: true, amount: new Decimal('40.00') });
    list('coffee', 10);
    await fetchRows(link);
    const [id] = await idsOn(link, 3);
    list('hold', 2, { pending: false, amount: new Decimal('46.00') });
    expect(await fetchRows(link)).toEqual({ ...NOTHING, updated: 1 });
    expect(await idsOn(link, 2)).toEqual([id]);
  });

  it('keeps our ids if only a block of days receives other ids', async () => {
    const link = await linkWithRows();
    const fixed = new Map<string, string>();
    const stable = (name: string) => {
      const id = fixed.get(name) ?? randomUUID();
      fixed.set(name, id);
      return id;
    };
    idOf = stable;
    expect(await fetchRows(link)).toEqual(NOTHING);
    idOf = (name) => (name.startsWith('coffee') ? randomUUID() : stable(name));
    for (let time = 0; time < 2; time += 1) expect(await fetchRows(link)).toEqual(NOTHING);
  });
});

describe('A source without ids, whose adapter derives them from content and ordinal', () => {
  it('keeps our ids and removes one twin of two when one is withdrawn', async () => {
    idOf = (name) => {
      const { date, amount, description } = listed.get(name) ?? row('');
      const same = [...listed].filter(
        ([, other]) =>
          other.date === date && other.amount.equals(amount) && other.description === description,
      );
      return `${date}/${amount.toFixed()}/${description}#${same.findIndex(([each]) => each === name)}`;
    };
    const link = await linkWithRows();
    const twins = await idsOn(link, 20);
    expect(await fetchRows(link)).toEqual(NOTHING);
    listed.delete('twin 1');
    expect(await fetchRows(link)).toEqual({ ...NOTHING, removed: 1 });
    expect(twins).toEqual(expect.arrayContaining(await idsOn(link, 20)));
    // The day of a row is corrected, so that its derived id changes.
    list('salary', 41, { amount: new Decimal(3_000), type: 'credit', description: 'Salary' });
    const salary = await idsOn(link, 40);
    expect(await fetchRows(link)).toEqual({ ...NOTHING, updated: 1 });
    expect(await idsOn(link, 41)).toEqual(salary);
  });
});

describe('A source whose ids are derived from day and position', () => {
  const position = (name: string) => {
    const { date } = listed.get(name) ?? row('');
    const sameDay = [...listed].filter(([, other]) => other.date === date);
    return `${date}/${sameDay.findIndex(([each]) => each === name)}`;
  };
  const shop = (amount: number, description: string) => ({
    amount: new Decimal(amount),
    description,
    rawDescription: null,
  });
  /** Our id of each row, by its text. */
  const idsByText = async (link: StoredLink) =>
    new Map(
      (await currentRows(storage, link)).map(({ body, transactionId }) => [
        (JSON.parse(body) as { description: string }).description,
        transactionId,
      ]),
    );
  beforeEach(() => {
    idOf = position;
  });

  it('keeps our id of each row when a late row moves the others, and when it is withdrawn again', async () => {
    const link = await storePermittedLink(storage);
    list('bakery', 5, shop(4, 'Bakery'));
    list('garage', 5, shop(80, 'Garage'));
    list('cinema', 5, shop(12, 'Cinema'));
    await fetchRows(link);
    const before = await idsByText(link);
    const rows = new Map(listed);
    list('late', 5, shop(7, 'Late'));
    listed = new Map([...listed].reverse());
    expect(await fetchRows(link)).toEqual({ ...NOTHING, created: 1 });
    const { Late: late, ...others } = Object.fromEntries(await idsByText(link));
    expect({ others, late: typeof late }).toEqual({
      others: Object.fromEntries(before),
      late: 'string',
    });
    listed = rows;
    expect(await fetchRows(link)).toEqual({ ...NOTHING, removed: 1 });
    expect(await idsByText(link)).toEqual(before);
  });

  it('removes the first row and keeps the others, whose ids move up', async () => {
    const link = await storePermittedLink(storage);
    for (const [index, name] of ['Bakery', 'Garage', 'Cinema'].entries())
      list(name, 5, shop(10 + index, name));
    await fetchRows(link);
    const before = await idsByText(link);
    listed.delete('Bakery');
    expect(await fetchRows(link)).toEqual({ ...NOTHING, removed: 1 });
    before.delete('Bakery');
    expect(await idsByText(link)).toEqual(before);
  });

  it('recognizes a row as the same one, changed, if its content is nowhere else', async () => {
    const link = await storePermittedLink(storage);
    list('bakery', 5, shop(4, 'Bakery'));
    await fetchRows(link);
    const [id] = await idsOn(link, 5);
    list('bakery', 5, shop(6, 'Corrected by the bank'));
    expect(await fetchRows(link)).toEqual({ ...NOTHING, updated: 1 });
    expect(await idsOn(link, 5)).toEqual([id]);
  });
});
