import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { Provider, ProviderTransaction } from '../../../providers/contract/provider.js';
import { encodeCredential } from '../../../providers/simplefin/client/access-url.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { simplefinAt } from '../../support/fixtures/simplefin-server.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const WINDOW = { from: '2026-08-28', to: '2026-11-25' };
const FIRST = Date.parse(`${WINDOW.from}T00:00:00Z`) / 1_000;
const NOW_SECONDS = NOW.getTime() / 1_000;
/** Noon of a day of the window. */
const at = (day: number): number => FIRST + day * 86_400 + 43_200;
const dayOf = (epoch: number): string => new Date(epoch * 1_000).toISOString().slice(0, 10);

/** The data that a server has of a row. */
interface KnownRow {
  amount: string;
  description: string;
  /** 0 if pending. */
  posted: number;
  /** `request` means that the server returns the time of the request. */
  transacted: number | 'request' | null;
}

/** The differences between servers. */
interface Habits {
  compares: 'posted' | 'transacted_at';
  /** True if pending rows are compared with the window. */
  pending: 'every_request' | 'window';
  ids: 'kept' | 'renewed' | 'numbered';
}

describe('Rows of a SimpleFIN server with habits of its own', () => {
  let server: Server;
  let provider: Provider;
  let credential: Uint8Array;
  let reply: (start: number, end: number) => object[] = () => [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { searchParams: query } = new URL(request.url ?? '/', 'http://server');
      const epoch = (name: string) => Number(query.get(name) ?? Infinity);
      const account = {
        id: 'a1',
        name: 'Checking',
        currency: 'USD',
        balance: '1',
        'balance-date': NOW_SECONDS,
        transactions: reply(epoch('start-date'), epoch('end-date')),
      };
      response.end(JSON.stringify({ errors: [], accounts: [account] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    provider = simplefinAt(`http://127.0.0.1:${port}`, { now: () => NOW });
    credential = encodeCredential(`http://user:password@127.0.0.1:${port}/simplefin`);
  });
  afterAll(() => server.close());

  async function read(): Promise<ProviderTransaction[]> {
    const access = accessWith({ credential, reference: 'r' }, 'us');
    const rows: ProviderTransaction[] = [];
    for await (const page of provider.fetchTransactions?.(access, WINDOW) ?? [])
      rows.push(...page.transactions);
    const ids = rows.map(({ providerTransactionId }) => providerTransactionId);
    expect(new Set(ids).size).toBe(ids.length);
    return rows;
  }

  const inOrder = (rows: unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  const shown = (rows: readonly ProviderTransaction[]): string[] =>
    inOrder(
      rows.map(({ amount, description, date, pending }) => [
        amount.toFixed(),
        description,
        date,
        pending,
      ]),
    );

  const comparedBy = ({ compares }: Habits, { posted, transacted }: KnownRow): number => {
    const happened = transacted === 'request' ? NOW_SECONDS : transacted;
    return compares === 'posted' ? posted || happened || NOW_SECONDS : (happened ?? posted);
  };

  const isListed = (habits: Habits, row: KnownRow, [start, end]: [number, number]): boolean =>
    (row.posted === 0 && habits.pending === 'every_request') ||
    (comparedBy(habits, row) >= start && comparedBy(habits, row) < end);

  /** Serves the rows, and returns those that belong to the window. */
  function serve(rows: readonly KnownRow[], habits: Habits): string[] {
    let requests = 0;
    reply = (start, end) => {
      requests += 1;
      return rows
        .map((row, index) => ({ row, index }))
        .filter(({ row }) => isListed(habits, row, [start, end]))
        .map(({ row: { transacted, ...row }, index }, place) => ({
          ...row,
          id: { kept: `${index}`, renewed: `${requests}-${index}`, numbered: `${place}` }[
            habits.ids
          ],
          ...(transacted === null
            ? {}
            : { transacted_at: transacted === 'request' ? NOW_SECONDS + requests : transacted }),
        }));
    };
    const end = NOW_SECONDS + 86_400;
    return inOrder(
      rows
        .filter((row) => isListed(habits, row, [FIRST, end]))
        .map(({ amount, description, posted, transacted }) => {
          const happened = transacted === 'request' ? NOW_SECONDS : transacted;
          return [amount, description, dayOf(posted || happened || NOW_SECONDS), posted === 0];
        }),
    );
  }

  const days = fc.integer({ min: 0, max: 89 }).map(at);
  const rows: fc.Arbitrary<KnownRow[]> = fc.array(
    fc.record({
      // Few values, so that rows are often equal.
      amount: fc.constantFrom('1', '2.5'),
      description: fc.constantFrom('SHOP', 'CAFE'),
      posted: fc.oneof(fc.constant(0), days),
      transacted: fc.oneof(days, fc.constant(null), fc.constant('request' as const)),
    }),
    { maxLength: 12 },
  );
  const habits: fc.Arbitrary<Habits> = fc.record({
    compares: fc.constantFrom('posted', 'transacted_at'),
    pending: fc.constantFrom('every_request', 'window'),
    ids: fc.constantFrom('kept', 'renewed', 'numbered'),
  });

  it('are each read once, whatever the server compares, repeats and renews', async () => {
    await fc.assert(
      fc.asyncProperty(rows, habits, async (known, how) => {
        const expected = serve(known, how);
        expect(shown(await read())).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['kept', 'renewed', 'numbered'] as const)(
    'are each read once when pending ones come with every request and ids are %s',
    async (ids) => {
      const pending = { amount: '2.5', description: 'SHOP', posted: 0 };
      const known = [
        { ...pending, transacted: at(3) },
        { ...pending, transacted: at(88) },
        { ...pending, transacted: null },
        { ...pending, transacted: 'request' as const },
        { ...pending, transacted: at(3) },
      ];
      const expected = serve(known, { compares: 'posted', pending: 'every_request', ids });
      expect(expected).toHaveLength(5);
      expect(shown(await read())).toEqual(expected);
    },
  );

  it('are all kept, under ids of their own, when one response assigns the same id to several', async () => {
    const row = { id: 'x', posted: at(89), description: 'SHOP', amount: '1' };
    reply = (_start, end) =>
      end > at(89) ? [row, { ...row, amount: '2' }, { ...row, amount: '3' }, row] : [];
    const first = await read();
    expect(first.map(({ amount }) => amount.toFixed()).sort()).toEqual(['1', '2', '3']);
    const idsOf = (listed: ProviderTransaction[]) =>
      listed.map(({ providerTransactionId: id, amount }) => `${amount.toFixed()} ${id}`).sort();
    reply = (_start, end) =>
      end > at(89) ? [{ ...row, amount: '3' }, { ...row, amount: '2' }, row] : [];
    expect(idsOf(await read())).toEqual(idsOf(first));
  });
});
