import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const DAY_SECONDS = 86_400;
const epoch = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

interface RemoteAccount {
  id: string;
  name: string;
  currency: string;
  balance: string;
  'available-balance'?: string;
  conn_id?: string;
  org?: { domain: string; name: string };
  transactions: RemoteRow[];
}
interface RemoteRow {
  id: string;
  posted: number;
  transacted_at: number;
  amount: string;
  description: string;
  pending?: boolean;
}
interface AccountSet {
  errors?: string[];
  errlist?: { code: string; msg: string; conn_id?: string; account_id?: string }[];
  connections?: { conn_id: string; org_name: string }[];
  accounts: RemoteAccount[];
}

describe('the SimpleFIN simulator', () => {
  let simulator: TestSimulator;
  let accessUrl: string;
  beforeAll(async () => {
    simulator = await startVendorSimulator('simplefin', { now: NOW });
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await simulator.reset();
    accessUrl = await claimNew('trial');
  });

  const setupTokenOf = async (customer: string): Promise<string> =>
    (await simulator.post('simplefin/setup-token', { customer }))['setupToken'] ?? '';
  const claim = (setupToken: string): Promise<Response> =>
    fetch(Buffer.from(setupToken, 'base64').toString(), { method: 'POST' });
  const claimNew = async (customer: string): Promise<string> =>
    (await claim(await setupTokenOf(customer))).text();
  const get = (query = '', url = accessUrl): Promise<Response> => {
    const { username, password, origin, pathname } = new URL(url);
    return fetch(`${origin}${pathname}/accounts${query}`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      },
    });
  };
  const read = async (query = ''): Promise<AccountSet> =>
    (await (await get(query)).json()) as AccountSet;
  const accountNamed = ({ accounts }: AccountSet, name: string): RemoteAccount => {
    const found = accounts.find((account) => account.name.startsWith(name));
    if (found === undefined) throw new Error(`no account ${name}`);
    return found;
  };
  const ledgerAccount = async (id: string): Promise<Account> => {
    const { customers } = await simulator.ledger();
    const accounts = customers.flatMap(({ connections }) => connections.flatMap((c) => c.accounts));
    const found = accounts.find((account) => account.id === id);
    if (found === undefined) throw new Error(`no account ${id}`);
    return found;
  };

  it('shows a setup token on a page with a plain form, for the customer that was chosen', async () => {
    const form = await (await fetch(`${simulator.url}/simplefin/create`)).text();
    expect(form).toMatch(/<input type="radio" name="customer" value="mover"> Maren Mover/);
    const body = new URLSearchParams({ customer: 'mover' });
    const shown = await fetch(`${simulator.url}/simplefin/create`, { method: 'POST', body });
    const [, token = ''] = /readonly>([^<]+)</.exec(await shown.text()) ?? [];
    accessUrl = await (await claim(token)).text();
    expect((await read('?version=2')).connections).toMatchObject([{ org_name: 'Meridian Bank' }]);
  });

  it('returns the access URL for one claim, and refuses the second and an unknown token', async () => {
    const token = await setupTokenOf('trial');
    const first = await claim(token);
    expect(first.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await first.text()).toMatch(
      /^http:\/\/[0-9A-F]+:[0-9A-F]+@127\.0\.0\.1:\d+\/simplefin$/,
    );
    expect((await claim(token)).status).toBe(403);
    const unknown = Buffer.from(`${simulator.url}/simplefin/claim/UNKNOWN`).toString('base64');
    expect((await claim(unknown)).status).toBe(403);
  });

  it('responds in version 1 with organizations and texts, in version 2 with connections', async () => {
    await simulator.script('bank_down', { bank: 'prairie' });
    const first = await read();
    expect(first.errors).toEqual(['Connection to Prairie Credit Union failed.']);
    expect(first.connections).toBeUndefined();
    expect(accountNamed(first, 'Everyday').org).toMatchObject({ domain: 'harbour.example' });
    const second = await read('?version=2');
    expect(second.errors).toBeUndefined();
    const prairie = second.connections?.find(({ org_name: name }) => name.startsWith('Prairie'));
    expect(second.errlist).toMatchObject([{ code: 'con.', conn_id: prairie?.conn_id }]);
    const everyday = accountNamed(second, 'Everyday');
    expect(everyday.org).toBeUndefined();
    expect(second.connections?.find(({ conn_id: id }) => id === everyday.conn_id)?.org_name).toBe(
      'Harbour Federal Bank',
    );
  });

  it('lists exactly the posted rows of the ledger, window by window, with an exclusive end, and pending ones with each', async () => {
    const listed: RemoteRow[] = [];
    const first = epoch('2024-11-01');
    for (let start = first; start < NOW.getTime() / 1_000; start += 45 * DAY_SECONDS) {
      const end = start + 45 * DAY_SECONDS;
      const set = await read(`?start-date=${start}&end-date=${end}&pending=1`);
      const { transactions } = accountNamed(set, 'Everyday');
      expect(transactions.filter(({ pending }) => pending)).toHaveLength(1);
      listed.push(...transactions.filter(({ pending }) => pending !== true));
    }
    const { rows: known } = await ledgerAccount('trial-harbour-1');
    const rows = known.filter(({ status }) => status === 'posted');
    expect(listed.map((row) => [row.amount, row.description, row.transacted_at])).toEqual(
      rows.map((row) => [row.amount, row.description, Date.parse(row.instant) / 1_000]),
    );
    expect(new Set(listed.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('includes the start and excludes the end of a window', async () => {
    const { rows } = await ledgerAccount('trial-harbour-1');
    const at = Date.parse(rows.at(-3)?.instant ?? '') / 1_000;
    const countOf = async (query: string): Promise<number> =>
      accountNamed(await read(query), 'Everyday').transactions.length;
    expect(await countOf(`?start-date=${at}&end-date=${at + 1}`)).toBe(1);
    expect(await countOf(`?start-date=${at - 1}&end-date=${at}`)).toBe(0);
  });

  it('shows pending rows only when requested, unposted', async () => {
    expect(accountNamed(await read(), 'Everyday').transactions.some((row) => row.pending)).toBe(
      false,
    );
    const pending = accountNamed(await read('?pending=1'), 'Everyday').transactions.filter(
      (row) => row.pending,
    );
    expect(pending).toMatchObject([{ posted: 0, transacted_at: epoch('2026-11-25') + 180 }]);
  });

  it('caps a window of more than 90 days, and reports the cap', async () => {
    const set = await read(`?version=2&start-date=${epoch('2024-11-01')}`);
    expect(set.errlist).toMatchObject([
      { code: 'gen.api', msg: 'Requested date range exceeds limit of 90 days and was capped.' },
    ]);
    const oldest = accountNamed(set, 'Everyday').transactions[0]?.posted ?? 0;
    expect(oldest).toBeGreaterThan(epoch('2026-08-26'));
    expect((await read(`?version=2&start-date=${epoch('2026-09-01')}`)).errlist).toEqual([]);
  });

  it('responds for one account, and without rows when only balances are requested', async () => {
    const { id } = accountNamed(await read(), 'Rainy');
    expect((await read(`?account=${encodeURIComponent(id)}`)).accounts).toHaveLength(1);
    const { accounts } = await read('?balances-only=1');
    expect(accounts.flatMap(({ transactions }) => transactions)).toEqual([]);
    const { balances } = await ledgerAccount('trial-harbour-3');
    expect(accounts.find(({ name }) => name.startsWith('Harbour Rewards'))).toMatchObject({
      balance: balances.current,
      'available-balance': balances.available,
    });
  });

  it('has one account in a currency that is an address', async () => {
    const { currency } = accountNamed(await read(), 'Travel Miles');
    expect(currency).toBe('https://prairie.example/currencies/miles');
  });

  it('names an account whose rows are missing, and lists it without rows', async () => {
    await simulator.script('account_down', { account: 'trial-harbour-1' });
    const set = await read('?version=2');
    const { id, transactions } = accountNamed(set, 'Everyday');
    expect(transactions).toEqual([]);
    expect(set.errlist).toMatchObject([{ code: 'act.missingdata', account_id: id }]);
  });

  it('warns from the 25th request of a day on, and refuses from the 96th until a day has passed', async () => {
    const statuses: number[] = [];
    for (let call = 1; call <= 96; call += 1) {
      const response = await get('?version=2&balances-only=1');
      statuses.push(response.status);
      if (call !== 24 && call !== 25) continue;
      const { errlist } = (await response.json()) as AccountSet;
      expect(errlist).toHaveLength(call === 24 ? 0 : 1);
    }
    expect(statuses.indexOf(429)).toBe(95);
    await simulator.advance(DAY_SECONDS + 1);
    expect((await get()).status).toBe(200);
  });

  it('refuses for a while when a script uses up the quota', async () => {
    await simulator.script('quota_hit', { vendor: 'simplefin', customer: 'trial', seconds: 60 });
    const refused = await get();
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain('24 requests per day');
    await simulator.advance(61);
    expect((await get()).status).toBe(200);
  });

  it('returns 402 while the customer owes, and 403 as JSON for expired consents and wrong credentials', async () => {
    await simulator.post('simplefin/payment', { customer: 'trial', owes: true });
    expect((await get()).status).toBe(402);
    await simulator.post('simplefin/payment', { customer: 'trial', owes: false });
    expect((await get()).status).toBe(200);
    expect((await get('', accessUrl.replace('@', 'X@'))).status).toBe(403);
    await simulator.script('end_consent', { vendor: 'simplefin', customer: 'trial' });
    const revoked = await get();
    expect({ status: revoked.status, contentType: revoked.headers.get('content-type') }).toEqual({
      status: 403,
      contentType: 'application/json; charset=utf-8',
    });
    accessUrl = await claimNew('trial');
    expect((await get()).status).toBe(200);
  });

  it('assigns other ids to rows that are posted or renewed, and the same ones otherwise', async () => {
    const idsOf = async (): Promise<string[]> =>
      accountNamed(await read('?pending=1'), 'Everyday').transactions.map(({ id }) => id);
    const before = await idsOf();
    expect(await idsOf()).toEqual(before);
    await simulator.script('post_pending', { account: 'trial-harbour-1' });
    const posted = await idsOf();
    expect(posted.filter((id) => !before.includes(id))).toHaveLength(1);
    await simulator.script('renew_all_ids');
    const renewed = await idsOf();
    expect(renewed.filter((id) => posted.includes(id))).toEqual([]);
    await simulator.script('renew_ids_always');
    const [third, fourth] = [await idsOf(), await idsOf()];
    expect(new Set([...renewed, ...third, ...fourth]).size).toBe(3 * renewed.length);
  });
});
