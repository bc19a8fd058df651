import { randomUUID } from 'node:crypto';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import { EnableBankingClient } from '../../support/actors/enable-banking-client.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const MERIDIAN = { name: 'Meridian Bank', country: 'DE' };
const RIVIERE = { name: 'Banque de la Rivière', country: 'FR' };
const PRESENT = { 'psu-ip-address': '203.0.113.7', 'psu-user-agent': 'Mozilla/5.0' };

interface RemoteRow {
  entry_reference: string | null;
  transaction_id: string;
  transaction_amount: { currency: string; amount: string };
  credit_debit_indicator: 'CRDT' | 'DBIT';
  status: string;
  booking_date: string | null;
  transaction_date: string | null;
  remittance_information: string[];
}

describe('Reading accounts at the Enable Banking simulator', () => {
  let simulator: TestSimulator;
  let client: EnableBankingClient;
  /** Of the checking account, the savings account and the card. */
  let uids: string[];
  beforeAll(async () => {
    simulator = await startVendorSimulator('enable-banking', { now: NOW });
    client = await EnableBankingClient.register(simulator.url, () => simulator.server.ledger.now());
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await simulator.reset();
    uids = await logIn(MERIDIAN);
  });

  const logIn = async (aspsp: { name: string; country: string }): Promise<string[]> => {
    const state = randomUUID();
    await client.startAuthorization(aspsp, state);
    const decision = { state, customer: 'trial' };
    const { redirectTo = '' } = await simulator.post('enable-banking/authorize', decision);
    const body = { code: new URL(redirectTo).searchParams.get('code') };
    const { json } = await client.call('/sessions', { method: 'POST', body });
    return (json['accounts'] as { uid: string }[]).map(({ uid }) => uid);
  };
  const get = (
    uid: string | undefined,
    resource: string,
    headers: Record<string, string> = PRESENT,
  ) => client.call(`/accounts/${uid}/${resource}`, { headers });
  const listAll = async (uid: string | undefined, query: string) => {
    const rows: RemoteRow[] = [];
    const sizes: number[] = [];
    let key: unknown = null;
    do {
      const next: string = typeof key === 'string' ? `&continuation_key=${key}` : '';
      const { status, json } = await get(uid, `transactions?${query}${next}`);
      expect(status).toBe(200);
      const page = json['transactions'] as RemoteRow[];
      rows.push(...page);
      sizes.push(page.length);
      key = json['continuation_key'];
    } while (key !== null);
    return { rows, sizes };
  };
  const truthOf = async (id: string): Promise<Account> => {
    const { customers } = await simulator.ledger();
    const accounts = customers.flatMap(({ connections }) => connections.flatMap((c) => c.accounts));
    const found = accounts.find((account) => account.id === id);
    if (found === undefined) throw new Error(`no account ${id}`);
    return found;
  };
  const signed = ({ credit_debit_indicator: direction, transaction_amount: sum }: RemoteRow) =>
    direction === 'DBIT' ? `-${sum.amount}` : sum.amount;

  it.each([
    ['trial-meridian-1', 0],
    ['trial-meridian-2', 1],
    ['trial-meridian-3', 2],
  ])('lists exactly the rows of %s, newest first, over pages', async (id, index) => {
    const { rows, sizes } = await listAll(uids[index], 'strategy=longest');
    const truth = (await truthOf(id)).rows.toReversed();
    expect(sizes.length).toBeGreaterThan(1);
    expect(
      rows.map((row) => [signed(row), row.remittance_information[0], row.booking_date]),
    ).toEqual(
      truth.map((row) => [row.amount, row.description, row.status === 'posted' ? row.day : null]),
    );
  });

  it('returns permanent references, none while pending and for some booked rows, and changing transaction ids', async () => {
    const first = (await listAll(uids[0], 'strategy=longest')).rows;
    uids = await logIn(MERIDIAN);
    const second = (await listAll(uids[0], 'strategy=longest')).rows;
    const references = (rows: RemoteRow[]) => rows.map((row) => row.entry_reference);
    expect(references(second)).toEqual(references(first));
    const booked = first.filter(({ status }) => status === 'BOOK');
    expect(booked.some(({ entry_reference: reference }) => reference === null)).toBe(true);
    expect(first.find(({ status }) => status === 'PDNG')?.entry_reference).toBeNull();
    const known = new Set(first.map(({ transaction_id: id }) => id));
    expect(second.some(({ transaction_id: id }) => known.has(id))).toBe(false);
  });

  it('marks pending rows of accounts and holds of cards, and lists by status', async () => {
    const statuses = async (uid: string | undefined, query: string) =>
      new Set((await listAll(uid, query)).rows.map(({ status }) => status));
    expect(await statuses(uids[0], 'date_from=2026-11-01')).toEqual(new Set(['BOOK', 'PDNG']));
    expect(await statuses(uids[2], 'date_from=2026-11-01')).toEqual(new Set(['BOOK', 'HOLD']));
    const pending = await listAll(uids[0], 'date_from=2026-11-01&transaction_status=PDNG');
    expect(pending.rows).toHaveLength(1);
    expect(pending.rows[0]?.transaction_date).toBe('2026-11-25');
  });

  it('includes both days of a window', async () => {
    const { rows } = await listAll(uids[0], 'date_from=2026-11-16&date_to=2026-11-17');
    expect(rows.map(({ booking_date: day }) => day)).toEqual(['2026-11-17', '2026-11-16']);
  });

  it.each([
    ['date_to=2026-11-01', 'DATE_TO_WITHOUT_DATE_FROM'],
    ['date_from=2026-11-26', 'DATE_FROM_IN_FUTURE'],
    ['date_from=2026-11-02&date_to=2026-11-01', 'WRONG_DATE_INTERVAL'],
    ['date_from=yesterday', 'WRONG_REQUEST_PARAMETERS'],
    ['transaction_status=DONE', 'WRONG_REQUEST_PARAMETERS'],
    ['continuation_key=unknown', 'WRONG_CONTINUATION_KEY'],
  ])('refuses %s with %s', async (query, error) => {
    const { status, json } = await get(uids[0], `transactions?${query}`);
    expect({ status, error: json['error'] }).toEqual({ status: 422, error });
  });

  it('returns the whole history for three minutes after the login, then 90 days', async () => {
    const whole = await listAll(uids[0], 'date_from=2024-11-26');
    expect(whole.rows.at(-1)?.booking_date?.slice(0, 4)).toBe('2024');
    await simulator.advance(181);
    const refused = await get(uids[0], 'transactions?date_from=2026-08-26');
    expect({ status: refused.status, error: refused.json['error'] }).toEqual({
      status: 422,
      error: 'WRONG_TRANSACTIONS_PERIOD',
    });
    expect((await get(uids[0], 'transactions?date_from=2026-08-27')).status).toBe(200);
    const longest = await listAll(uids[0], 'date_from=2024-11-26&strategy=longest');
    expect(longest.rows.at(-1)?.booking_date?.slice(0, 4)).toBe('2026');
  });

  it('has pages without rows at a bank of that kind', async () => {
    const [uid] = await logIn(RIVIERE);
    const { rows, sizes } = await listAll(uid, 'strategy=longest');
    expect(sizes[0]).toBe(0);
    expect(rows).toHaveLength((await truthOf('trial-riviere-1')).rows.length);
  });

  it('describes accounts by IBAN or masked card, with their owner', async () => {
    const truth = await truthOf('trial-meridian-1');
    const { json } = await get(uids[0], 'details');
    expect(json).toMatchObject({
      account_id: { iban: truth.iban },
      account_servicer: { bic_fi: 'MERIDEFFXXX' },
      name: 'Tilda Trial',
      details: 'Girokonto',
      cash_account_type: 'CACC',
      currency: 'EUR',
      uid: uids[0],
    });
    const card = await get(uids[2], 'details');
    expect(card.json).toMatchObject({
      account_id: { iban: null, other: { scheme_name: 'CPAN' } },
      cash_account_type: 'CARD',
      credit_limit: { amount: '5000.00' },
    });
  });

  it('returns signed balances of several types, the booked one not first', async () => {
    const { balances: truth } = await truthOf('trial-meridian-3');
    const { json } = await get(uids[2], 'balances');
    const balances = json['balances'] as {
      balance_type: string;
      balance_amount: { amount: string };
    }[];
    expect(balances.map(({ balance_type: type }) => type)).toEqual(['XPCD', 'ITAV', 'ITBD']);
    expect(balances[2]?.balance_amount.amount).toBe(truth.current);
    expect(balances[1]?.balance_amount.amount).toBe(truth.available);
  });

  it('allows four unattended calls a day for each account and resource, and any number with the end user', async () => {
    const unattended = async (uid: string | undefined, resource: string) =>
      (await get(uid, resource, {})).status;
    for (let call = 0; call < 4; call += 1) expect(await unattended(uids[0], 'balances')).toBe(200);
    const { status, json } = await get(uids[0], 'balances', {});
    expect({ status, error: json['error'] }).toEqual({
      status: 429,
      error: 'ASPSP_RATE_LIMIT_EXCEEDED',
    });
    expect(await unattended(uids[0], 'details')).toBe(200);
    expect(await unattended(uids[1], 'balances')).toBe(200);
    expect((await get(uids[0], 'balances')).status).toBe(200);
    await simulator.advance(86_401);
    expect(await unattended(uids[0], 'balances')).toBe(200);
  });

  it('counts the pages of a listing as one call', async () => {
    for (let listing = 0; listing < 4; listing += 1) {
      let { json } = await get(uids[0], 'transactions?strategy=longest', {});
      while (typeof json['continuation_key'] === 'string') {
        const query = `transactions?strategy=longest&continuation_key=${json['continuation_key']}`;
        ({ json } = await get(uids[0], query, {}));
      }
      expect(json['continuation_key']).toBeNull();
    }
    expect((await get(uids[0], 'transactions', {})).status).toBe(429);
  });

  it('requires all headers of the end user or none, and a valid address', async () => {
    const errorWith = async (headers: Record<string, string>) =>
      (await get(uids[0], 'balances', headers)).json['error'];
    expect(await errorWith({ 'psu-ip-address': '203.0.113.7' })).toBe('PSU_HEADER_NOT_PROVIDED');
    expect(await errorWith({ 'psu-accept': 'text/html' })).toBe('PSU_HEADER_NOT_PROVIDED');
    expect(await errorWith({ ...PRESENT, 'psu-ip-address': 'here' })).toBe('PSU_HEADER_INVALID');
    expect(await errorWith(PRESENT)).toBeUndefined();
  });

  it('fails for a bank or an account that is down, when a quota is reached, and after the consent expired', async () => {
    const errorOf = async (uid: string | undefined) => (await get(uid, 'balances')).json['error'];
    await simulator.script('account_down', { account: 'trial-meridian-1' });
    expect({ first: await errorOf(uids[0]), second: await errorOf(uids[1]) }).toEqual({
      first: 'ASPSP_ERROR',
      second: undefined,
    });
    await simulator.script('bank_down', { bank: 'meridian' });
    expect(await errorOf(uids[1])).toBe('ASPSP_ERROR');
    await simulator.script('bank_up', { bank: 'meridian' });
    await simulator.script('quota_hit', { vendor: 'enable-banking', customer: 'trial' });
    expect(await errorOf(uids[1])).toBe('ASPSP_RATE_LIMIT_EXCEEDED');
    await simulator.script('end_consent', { vendor: 'enable-banking', customer: 'trial' });
    expect(await errorOf(uids[1])).toBe('REVOKED_SESSION');
    expect(await errorOf(randomUUID())).toBe('ACCOUNT_DOES_NOT_EXIST');
  });

  it('assigns a posted row a reference of its own', async () => {
    const before = (await listAll(uids[0], 'date_from=2026-11-01')).rows;
    await simulator.script('post_pending', { account: 'trial-meridian-1' });
    const after = (await listAll(uids[0], 'date_from=2026-11-01')).rows;
    expect(before[0]).toMatchObject({ status: 'PDNG', entry_reference: null });
    expect(after[0]).toMatchObject({ status: 'BOOK', booking_date: '2026-11-25' });
    expect(before.map((row) => row.entry_reference)).not.toContain(after[0]?.entry_reference);
  });
});
