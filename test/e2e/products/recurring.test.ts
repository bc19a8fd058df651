import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import { detailsOf } from '../../../domain/transactions/transaction-details.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf, row } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

interface Shown {
  stream_id: string;
  account_id: string;
  label: string;
  status: string;
  transaction_ids: string[];
  transaction_count: number;
}
interface Page {
  streams: Shown[];
  next_cursor: string;
  link: { link_id: string };
}

apiOfFile({ RATE_LIMIT_API: 'off' });

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** One payment every four weeks, the newest of them `last` days ago. */
function payments(name: string, amount: string, { last = 3, count = 6, pending = false } = {}) {
  return Array.from({ length: count }, (_, at) =>
    row(`${name}-${last + at * 28}`, {
      amount: new Decimal(amount),
      date: daysAgo(last + at * 28),
      description: `${name} ${at}`,
      pending,
      details: detailsOf({ merchant: { name, mcc: null } }),
    }),
  );
}

/** Stores one fetch, as the worker does. */
async function fetchRows(linkId: string, transactions: FetchedTransaction[]): Promise<void> {
  const refresh = refreshSteps(service.ctx);
  const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['transactions'], 'scheduled'),
  );
  await refresh.storeTransactions(
    linkId,
    attemptOf(await refresh.beginRun(linkId), 'transactions'),
    { transactions, last: true, window: null, seenIds: [] },
  );
}

const read = (linkId: string, query = '') =>
  service.api.as(token).get(`/links/${linkId}/recurring${query}`);
async function page(linkId: string, query = ''): Promise<Page & { text: string }> {
  const response = await read(linkId, query);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
  return { ...(response.body as Page), text: response.text };
}

describe('GET /links/{id}/recurring (native-api 3.12)', () => {
  let linkId: string;
  beforeAll(async () => {
    linkId = await connectedLink(service, token);
    await fetchRows(linkId, [
      ...payments('Reelhouse', '12345678901234567.89'),
      ...payments('Corner Gym', '9.99', { last: 200 }),
      ...payments('Daily Courier', '25.00', { last: 10, count: 4 }),
      ...payments('Cinema', '14.00', { last: 31 }),
    ]);
  });

  it('lists streams with their rows and exact amounts, in the shape of the document', async () => {
    const { streams, text, link, next_cursor: next } = await page(linkId);
    expect([link.link_id, next]).toEqual([linkId, '']);
    expect(streams.find(({ label }) => label === 'Reelhouse')).toMatchObject({
      stream_id: expect.stringMatching(/^str_.{22}$/),
      direction: 'out',
      interval: 'four_weekly',
      amounts: { currency: 'USD', changed_on: null },
      first_date: daysAgo(143),
      last_date: daysAgo(3),
      status: 'mature',
      next: { expected: daysAgo(-25), earliest: daysAgo(-25), latest: daysAgo(-25) },
      is_transfer: false,
      transaction_count: 6,
      why: { key: 'merchant', hits: 6, gaps: 0, extras: 0 },
    });
    expect(text).toContain('"last":12345678901234567.89');
    expect(streams.find(({ label }) => label === 'Corner Gym')).toMatchObject({
      status: 'ended',
      next: null,
    });
  });

  it('keeps their ids, and their order, when rows come and when nothing changes', async () => {
    const before = await page(linkId);
    expect(await page(linkId)).toMatchObject({ streams: before.streams });
    await fetchRows(linkId, [
      ...payments('Cinema', '14.00', { count: 1 }),
      ...payments('Gym', '31.00', { last: 2 }),
    ]);
    const after = await page(linkId);
    const known = before.streams.map(({ stream_id: id }) => id);
    expect(after.streams.map(({ stream_id: id }) => id).slice(0, known.length)).toEqual(known);
    expect(after.streams.find(({ label }) => label === 'Cinema')?.transaction_count).toBe(7);
    expect(after.streams.slice(known.length).map(({ label }) => label)).toEqual(['Gym']);
  });

  it('gives one id to a stream that two calls find at once', async () => {
    const other = await connectedLink(service, token);
    await fetchRows(other, payments('Reelhouse', '5.00'));
    const [one, two] = await Promise.all([page(other), page(other)]);
    expect(two.streams).toEqual(one.streams);
    expect(one.streams).not.toEqual([]);
  });

  it('reads page after page, each stream once', async () => {
    const all = await page(linkId);
    const walked: Shown[] = [];
    for (let cursor = ''; ;) {
      const { streams, next_cursor: next } = await page(linkId, `?limit=1&cursor=${cursor}`);
      walked.push(...streams);
      if (next === '') break;
      cursor = next;
    }
    expect(walked).toEqual(all.streams);
  });

  it('lists only streams of the status, and of the accounts, that are asked for', async () => {
    const { streams } = await page(linkId);
    const ended = await page(linkId, '?status=ended');
    expect(ended.streams).toEqual(streams.filter(({ status }) => status === 'ended'));
    const ofAccount = await page(linkId, `?account_ids=${streams[0]?.account_id}`);
    expect(ofAccount.streams).toEqual(
      streams.filter(({ account_id: id }) => id === streams[0]?.account_id),
    );
    expect((await page(linkId, '?account_ids=acc_unknown')).streams).toEqual([]);
  });

  it.each(['limit=0', 'limit=201', 'status=late', 'cursor=x'])('refuses %s', async (query) => {
    const response = await read(linkId, `?${query}`);
    expect([response.status, errorOf(response).code]).toEqual([
      422,
      'api_error.request.validation_failed',
    ]);
  });

  it('refuses a cursor of another link', async () => {
    const other = await connectedLink(service, token);
    const { next_cursor: next } = await page(linkId, '?limit=1');
    expect((await read(other, `?cursor=${next}`)).status).toBe(422);
  });

  it('is refused for a deleted link, whose streams are erased', async () => {
    const other = await connectedLink(service, token);
    await fetchRows(other, payments('Reelhouse', '5.00'));
    await page(other);
    const stored = { where: { link: { linkId: other } } };
    const { prisma } = service.database;
    expect(await prisma.recurringSearch.count(stored)).toBe(1);
    expect((await service.api.as(token).delete(`/links/${other}`)).status).toBe(204);
    expect((await read(other)).status).toBe(410);
    expect(await prisma.recurringSearch.count(stored)).toBe(0);
  });
});
