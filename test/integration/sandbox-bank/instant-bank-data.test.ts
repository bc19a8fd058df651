import type pg from 'pg';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { MONTHLY_BILLS } from '../../../simulators/sandbox-bank/transactions/monthly-bills.js';
import { openSandboxBank, type TestSandboxBank } from './support/sandbox-bank.js';
import { bankApi, dayNumberOf, isoDateOf } from './bank-api.js';
import { connectTo } from '../../support/services/postgres.mjs';

const TODAY = '2026-03-02';
const today = dayNumberOf(TODAY);

describe('The data of Instant Bank', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({
      databaseUrl: database.url,
      now: new Date(`${TODAY}T15:00:00Z`),
    });
    client = await connectTo(database.url);
  });
  afterAll(async () => {
    await client.end();
    await bank.stop();
    await database.drop();
  });

  const connect = (customer?: string, world?: string) => bankApi(bank).connect({ customer, world });
  const withoutIds = (rows: { transaction_id: string; account_id: string }[]) =>
    rows.map(({ transaction_id: _, account_id: __, ...rest }) => rest);

  it('has a checking and a savings account with the balances of link-lifecycle 13.2', async () => {
    const as_of = `${TODAY}T15:00:00.000Z`;
    expect(await (await connect()).accounts()).toEqual([
      {
        account_id: expect.any(String),
        product: 'CHECKING',
        display_name: 'Everyday Checking',
        number_last4: '1101',
        currency: 'USD',
        balances: { available: '2210.52', current: '2350.00', credit_limit: null, as_of },
      },
      {
        account_id: expect.any(String),
        product: 'SAVINGS',
        display_name: 'Rainy Day Savings',
        number_last4: '2202',
        currency: 'USD',
        balances: { available: '8400.00', current: '8400.00', credit_limit: null, as_of },
      },
    ]);
  });

  it('has one row on every day whose number is not divisible by 3: 60 in any 90 days', async () => {
    const connection = await connect();
    const rows = await connection.rows(isoDateOf(today - 89), TODAY);
    const expected = Array.from({ length: 90 }, (_, index) => today - index)
      .filter((day) => day % 3 !== 0)
      .map(isoDateOf);
    expect(rows.map((row) => row.booking_date)).toEqual(expected);
    for (const offset of [1, 2, 7, 100]) {
      expect(
        await connection.rows(isoDateOf(today - 89 - offset), isoDateOf(today - offset)),
      ).toHaveLength(60);
    }
  });

  it('pays wages into checking every 14th day and spends from checking on all others', async () => {
    const connection = await connect();
    const [checking] = await connection.accounts();
    const rows = await connection.rows('1990-01-01', TODAY);
    const wages = rows.filter((row) => dayNumberOf(row.booking_date) % 14 === 0);
    expect(wages.length).toBeGreaterThan(30);
    for (const row of rows) {
      expect(row.account_id).toBe(checking?.['account_id']);
      expect(row.amount).toMatch(/^\d+\.\d\d$/);
      expect(Number(row.amount)).toBeGreaterThan(0);
      if (wages.includes(row))
        expect(row).toMatchObject({ direction: 'IN', category: 'income.wages' });
      else expect(row.direction).toBe('OUT');
    }
    expect(new Set(wages.map((row) => row.amount)).size).toBe(1);
  });

  it('pays three monthly bills at a price of their own, within three days of their date', async () => {
    const rows = await (await connect()).rows('1990-01-01', TODAY);
    for (const { name, dayOfMonth } of MONTHLY_BILLS) {
      const paid = rows.filter(({ description }) => description === name);
      expect(paid.length).toBeGreaterThanOrEqual(23);
      expect(new Set(paid.map(({ amount }) => amount)).size).toBe(1);
      for (const { booking_date: date } of paid) {
        const late = Number(date.slice(8)) - dayOfMonth;
        expect(late >= 0 && late <= 3).toBe(true);
      }
      expect(new Set(paid.map(({ booking_date: date }) => date.slice(0, 7))).size).toBe(
        paid.length,
      );
    }
  });

  it('has a history of 730 days, and reports its length', async () => {
    const connection = await connect();
    const { body } = await connection.get(
      `transactions?from=1990-01-01&to=2099-01-01&page_size=500`,
    );
    expect(body).toMatchObject({
      covered: { from: isoDateOf(today - 729), to: TODAY },
      next_page_token: null,
    });
    const rows = await connection.rows('1990-01-01', '2099-01-01');
    expect(rows.length).toBe(
      Array.from({ length: 730 }, (_, index) => today - index).filter((day) => day % 3 !== 0)
        .length,
    );
    expect(await connection.get(`transactions?from=1990-01-01&to=1990-12-31`)).toMatchObject({
      body: { transactions: [], covered: null, next_page_token: null },
    });
  });

  it('shows a time only on the day of the row, and a matching description', async () => {
    const rows = await (await connect()).rows('1990-01-01', TODAY);
    const timed = rows.filter((row) => row.local_datetime !== null);
    expect(timed.length).toBeGreaterThan(100);
    expect(timed.length).toBeLessThan(rows.length);
    for (const { booking_date, local_datetime, description, statement_text } of timed) {
      expect(local_datetime?.slice(0, 10)).toBe(booking_date);
      const monthDay = booking_date.slice(5).replace('-', '');
      expect(statement_text.startsWith(`POS ${monthDay} ${description.toUpperCase()} `)).toBe(true);
    }
  });

  it('is the same for the same customer, including ids, and differs for others', async () => {
    const [first, second, other] = await Promise.all([
      connect('anna'),
      connect('anna'),
      connect('bert'),
    ]);
    const read = (connection: typeof first) => connection.rows('1990-01-01', TODAY);
    const [rows, again, others] = await Promise.all([read(first), read(second), read(other)]);
    expect(again).toEqual(rows);
    expect((await second.accounts()).map(({ account_id }) => account_id)).toEqual(
      (await first.accounts()).map(({ account_id }) => account_id),
    );
    expect(withoutIds(others)).not.toEqual(withoutIds(rows));
    const ids = [...rows, ...others].map((row) => row.transaction_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns the same rows page by page as at once', async () => {
    const connection = await connect();
    const path = `transactions?from=${isoDateOf(today - 89)}&to=${TODAY}`;
    const paged: unknown[] = [];
    let token: unknown = null;
    let pages = 0;
    do {
      const { body } = await connection.get(
        `${path}&page_size=7${token === null ? '' : `&page_token=${String(token)}`}`,
      );
      paged.push(...(body['transactions'] as unknown[]));
      token = body['next_page_token'];
      pages += 1;
    } while (token !== null);
    expect(pages).toBe(9);
    expect(paged).toEqual(await connection.rows(isoDateOf(today - 89), TODAY));
  });

  it('settles rows older than yesterday without changes but for their time', async () => {
    await client.query(`insert into sandbox_bank.world (world_id, seed) values ('march', 7)`);
    const connection = await connect('anna', 'march');
    connection.liveAt(`${TODAY}T00:00:00Z`);
    const before = await connection.rows(isoDateOf(today - 10), TODAY);
    const pendingDays = [today, today - 1].filter((day) => day % 3 !== 0).map(isoDateOf);
    expect(before.filter((row) => row.status === 'PENDING').map((row) => row.booking_date)).toEqual(
      pendingDays,
    );

    connection.liveAt(`${isoDateOf(today + 2)}T00:00:00Z`);
    const after = await connection.rows(isoDateOf(today - 10), TODAY);
    // The time of a purchase by card is known once it has settled.
    const withoutTime = (row: object) => ({ ...row, local_datetime: null, transacted_at: null });
    expect(after.map(withoutTime)).toEqual(
      before.map((row) => withoutTime({ ...row, status: 'BOOKED' })),
    );
    expect(await connection.rows(isoDateOf(today + 1), isoDateOf(today + 2))).not.toHaveLength(0);
  });

  it('depends on the seed of the world', async () => {
    await client.query(
      `insert into sandbox_bank.world (world_id, seed) values ('seed-8', 8), ('seed-9', 9), ('seed-9-too', 9)`,
    );
    const [eight, nine, nineToo] = await Promise.all(
      ['seed-8', 'seed-9', 'seed-9-too'].map(async (world) =>
        withoutIds(await (await connect('anna', world)).rows(isoDateOf(today - 89), TODAY)),
      ),
    );
    expect(nine).toEqual(nineToo);
    expect(eight).not.toEqual(nine);
  });
});
