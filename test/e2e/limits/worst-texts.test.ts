import { freePort } from '../../../apps/standalone/src/ports.js';
import {
  BANK,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { startApiProcess, type ApiProcess } from '../../support/services/api-process.js';
import { worstTime } from './support/worst-time.js';

/** What expressions, escaping and quoting have most to do with. Repeated, each fills every text of a row. */
const UNITS = ['\t', '\r\n', '"', ';', '\\', '=', '＝', '\t=', '; ', '\n"', '😀', 'EREF+', '<a '];
/** Of one import, whose body may have 1 MB. */
const ROWS = 100;
/** With as many rows as one page of an export reads. */
const IMPORTS = 5;

let service: ApiInProcess;
/** Works on the same rows in its own process, where only requests use the event loop. */
let api: ApiProcess;
let token: string;
const MAX_MS = worstTime();

beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_API: 'off' });
  token = await service.token('pocket-ledger');
  const [API_PORT, METRICS_PORT] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')].map(
    String,
  ) as [string, string];
  api = await startApiProcess({ ...service.environment, API_PORT, METRICS_PORT });
});

afterAll(async () => {
  await api?.close();
  await service?.close();
});

/** As many characters as the field may have, without white space at both ends. */
const filled = (unit: string, length: number) =>
  `x${unit.repeat(length)}`.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '') + 'x';

function worstRows(unit: string, part: number) {
  return Array.from({ length: ROWS }, (_, index) => worstRow(unit, part * ROWS + index));
}

function worstRow(unit: string, index: number) {
  const [name, long] = [filled(unit, 200), filled(unit, 500)];
  return {
    account_id: 'a',
    amount: '-4.50',
    date: '2026-02-01',
    transaction_id: `${index} ${filled(unit, 150)}`,
    description: long,
    remittance: long,
    counterparty: { name },
    merchant: { name },
    references: { end_to_end: name, mandate: name, creditor: name, check_number: name },
  };
}

/** A user whose rows have this text in each field, and the credential of a finance app. */
async function userWith(unit: string): Promise<{ user: string; link: string; basic: string }> {
  const user = `user ${UNITS.indexOf(unit)}`;
  const caller = service.api.as(token);
  const name = filled(unit, 200);
  const { status, body } = await caller.post('/links/import', {
    json: {
      customer_user: { id: user },
      institution_id: BANK,
      accounts: [
        {
          account_id: 'a',
          name,
          nickname: name,
          type: 'savings',
          balances: { currency: 'USD', current: '1.00', balance_date: '2026-02-01' },
        },
      ],
      transactions: worstRows(unit, 0),
    },
  });
  expect({ unit, status }).toEqual({ unit, status: 200 });
  const { link_id: link } = body as { link_id: string };
  for (let part = 1; part < IMPORTS; part += 1) {
    const more = await caller.post(`/links/${link}/import/transactions`, {
      json: { transactions: worstRows(unit, part) },
    });
    expect({ unit, status: more.status }).toEqual({ unit, status: 200 });
  }
  // Finance apps read links that were connected.
  await service.database.pool.query(`UPDATE links SET connected_at = now() WHERE link_id = $1`, [
    link,
  ]);
  const created = await caller.post(`/users/${encodeURIComponent(user)}/simplefin-tokens`, {
    json: {},
  });
  const { setup_token: setup } = created.body as { setup_token: string };
  const { pathname } = new URL(Buffer.from(setup, 'base64').toString());
  const claimed = await fetch(`${api.url}${pathname}`, { method: 'POST' });
  const { username, password } = new URL(await claimed.text());
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return { user, link, basic };
}

/** Every call that returns the rows of others' texts, and what it must contain to have shown them. */
const readsOf = ({ user, link }: { user: string; link: string }) => {
  const id = encodeURIComponent(user);
  const span = 'start_date=1900-01-01';
  return [
    ...['json', 'jsonl', 'csv'].flatMap((format) => [
      `/users/${id}/export?format=${format}`,
      `/links/${link}/export?format=${format}`,
    ]),
    `/links/${link}/transactions/sync?size=500`,
    `/links/${link}/transactions?size=1000&${span}`,
    `/users/${id}/transactions?size=1000&${span}`,
    `/links/${link}/accounts`,
    `/users/${id}/accounts`,
    `/simplefin/accounts?version=2&start-date=0`,
  ];
};

it.each(UNITS)(
  'No export, page or stream blocks the event loop for rows whose texts repeat %j',
  async (unit) => {
    const { basic, ...of } = await userWith(unit);
    await api.longestBlock();
    for (const path of readsOf(of)) {
      const authorization = path.startsWith('/simplefin') ? `Basic ${basic}` : `Bearer ${token}`;
      const response = await fetch(api.url + path, { headers: { authorization } });
      const bytes = (await response.arrayBuffer()).byteLength;
      const blockedMs = await api.longestBlock();
      const showsRows = path.includes('/accounts') ? path.startsWith('/simplefin') : true;
      expect({
        path,
        status: response.status,
        isWhole: !showsRows || bytes > IMPORTS * ROWS * 1_000,
        isBlocked: blockedMs >= MAX_MS,
        ...(blockedMs >= MAX_MS ? { blockedMs } : {}),
      }).toEqual({ path, status: 200, isWhole: true, isBlocked: false });
    }
  },
);
