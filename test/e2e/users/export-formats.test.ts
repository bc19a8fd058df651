import { hasPython, readCsv, textOf } from '../../support/assertions/read-csv.js';
import { BANK } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

const USER = 'user/with ü';
const PATH = `/users/${encodeURIComponent(USER)}/export`;
const ODD = ['=1+1', "'", '-5', '@x', 'a "b", c', 'two\r\nlines', ' =1', 'a;=1', 'plain', '+49 30'];

interface Version {
  replaced: boolean;
  removed: boolean;
  transaction: Transaction;
  counterparty_numbers: Record<string, string | null> | null;
}
interface Transaction extends Record<string, unknown> {
  transaction_id: string;
  type: string;
}
interface Line extends Record<string, unknown> {
  type: string;
}

apiOfFile();

let imported: string;
beforeAll(async () => {
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER, email: { address: 'ann@mail.example' } },
      institution_id: BANK,
      accounts: [
        {
          account_id: 'a',
          name: '=Savings',
          type: 'savings',
          balances: { currency: 'USD', current: '12345678901234567.89' },
        },
      ],
      transactions: ODD.map((text, index) => ({
        account_id: 'a',
        amount: index === 0 ? '12345678901234567.89' : '-4.50',
        date: '2026-02-01',
        transaction_id: `row-${index}`,
        description: text,
        remittance: text,
        counterparty: {
          name: text,
          kind: 'business',
          numbers: { iban: 'DE89370400440532013000' },
        },
        merchant: { name: text, mcc: '5814' },
        references: { end_to_end: text, mandate: 'M1', creditor: 'C1', check_number: '7' },
        original: { amount: '4.10', currency: 'EUR', rate: '1.09760975' },
      })),
    },
  });
  expect(body).toMatchObject({ link_id: expect.any(String) });
  imported = (body as { link_id: string }).link_id;
});

const get = (path: string) => service.api.as(token).get(path);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const withoutType = ({ type: _, ...members }: Line) => members;

async function table(path: string): Promise<Record<string, string>[]> {
  const [names = [], ...rows] = readCsv((await get(path)).text);
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  );
}

describe('An export as JSON Lines', () => {
  it('holds every fact of the JSON document, one object per line, and ends with their number', async () => {
    const document = (await get(PATH)).body as {
      customer_user: object;
      links: {
        accounts: { balance_history: object[] }[];
        transactions: object[];
        webhook_events: object[];
      }[];
    };
    const { text, headers } = await get(`${PATH}?format=jsonl`);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="user-user_with_.jsonl"');
    const lines = linesOf(text);
    const of = (type: string) => lines.filter((line) => line.type === type).map(withoutType);
    expect(lines[0]).toMatchObject({ type: 'export' });
    expect(lines.at(-1)).toEqual({ type: 'end', lines: lines.length - 2 });
    expect(of('customer_user')).toEqual([document.customer_user]);
    const [link] = document.links;
    const { accounts = [], transactions, webhook_events, ...others } = link ?? {};
    // Lists of other types: export-products.test.ts.
    const facts = Object.fromEntries(
      Object.entries(others).filter(([, value]) => !Array.isArray(value)),
    );
    const link_id = imported;
    expect(of('link')).toEqual([{ link_id, ...facts }]);
    expect(of('account')).toEqual(
      accounts.map(({ balance_history: _, ...account }) => ({ link_id, ...account })),
    );
    expect(of('balance')).toMatchObject(accounts.flatMap(({ balance_history: days }) => days));
    expect(of('transaction')).toEqual(transactions?.map((each) => ({ link_id, ...each })));
    expect(of('event')).toEqual(webhook_events?.map((each) => ({ link_id, ...each })));
    expect(text).toContain('12345678901234567.89');
  });
});

describe('An export as CSV', () => {
  const NAMES: Readonly<Record<string, string>> = {
    counterparty_name: 'counterparty.name',
    counterparty_account_mask: 'counterparty.account_mask',
    counterparty_kind: 'counterparty.kind',
    merchant_name: 'merchant.name',
    merchant_mcc: 'merchant.mcc',
    reference_end_to_end: 'references.end_to_end',
    reference_mandate: 'references.mandate',
    reference_creditor: 'references.creditor',
    reference_check_number: 'references.check_number',
    original_amount: 'original.amount',
    original_currency: 'original.currency',
    original_rate: 'original.rate',
  };
  const member = (transaction: Transaction, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | null)?.[key],
        transaction,
      );
  const leavesOf = (value: object, before = ''): string[] =>
    Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
      typeof each === 'object' && each !== null
        ? leavesOf(each, `${before}${key}.`)
        : [`${before}${key}`],
    );

  (hasPython ? it : it.skip)(
    'holds every member of each current transaction, read back equal',
    async () => {
      const { transactions } = (await get(`/links/${imported}/export`)).body as {
        transactions: Version[];
      };
      const rows = await table(`${PATH}?format=csv`);
      expect(rows).toHaveLength(ODD.length);
      const paths = [...new Set(transactions.flatMap(({ transaction }) => leavesOf(transaction)))];
      const columnOf = Object.fromEntries(
        Object.entries(NAMES).map(([name, path]) => [path, name]),
      );
      for (const [
        index,
        { transaction, counterparty_numbers: numbers },
      ] of transactions.entries()) {
        const row = rows[index] ?? {};
        for (const path of paths) {
          const value = member(transaction, path);
          const cell = row[columnOf[path] ?? path];
          expect({ path, cell: cell === undefined ? undefined : textOf(cell) }).toEqual({
            path,
            cell: typeof value === 'number' ? expect.any(String) : (value?.toString() ?? null),
          });
          if (typeof value === 'number') expect(Number(cell)).toBe(value);
        }
        expect(textOf(row['counterparty_iban'] ?? '')).toBe(numbers?.['iban'] ?? null);
        expect(row).toMatchObject({ link_id: imported, account_name: "'=Savings" });
      }
      expect(rows.map((row) => textOf(row['remittance'] ?? ''))).toEqual(ODD);
      expect(rows[0]).toMatchObject({
        amount: '12345678901234567.89',
        original_rate: '1.09760975',
      });
      expect(rows[1]).toMatchObject({ type: 'debit', amount: '4.5', signed_amount: '-4.5' });
    },
  );

  it('is a file with a header, lines that end as RFC 4180 requires, and a safe name', async () => {
    const { text, headers } = await get(`/links/${imported}/export?format=csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${imported}.csv"`);
    expect(text).toMatch(/^link_id,institution_id,[a-z_,]+\r\n/);
    expect(text.endsWith('\r\n')).toBe(true);
    expect((await get('/users/unknown/export?format=csv')).text).toBe(
      text.slice(0, text.indexOf('\n') + 1),
    );
  });

  it('begins with a byte order mark if the caller asks for one, and is the same otherwise', async () => {
    for (const path of [PATH, `/links/${imported}/export`]) {
      // Text of a response has lost its mark.
      const bytesOf = async (query: string) => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(service.api.baseUrl + path + query, { headers });
        return Buffer.from(await response.arrayBuffer());
      };
      const [plain, marked] = [await bytesOf('?format=csv'), await bytesOf('?format=csv&bom=true')];
      expect(marked).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
      expect(await bytesOf('?format=csv&bom=false')).toEqual(plain);
    }
  });

  it.each(['format=jsonl&bom=true', 'format=json&bom=true', 'bom=true', 'format=csv&bom=1'])(
    'alone has a byte order mark: %s is refused',
    async (query) => {
      expect(await get(`${PATH}?${query}`)).toMatchObject({
        status: 422,
        body: {
          error_code: 'api_error.request.validation_failed',
          validation_errors: [expect.objectContaining({ location: ['query', 'bom'] })],
        },
      });
    },
  );

  (hasPython ? it : it.skip)(
    'has each amount in the currency of its account, as far as the bank converted it',
    async () => {
      const ids = async (originalIds: readonly string[], currency: string) =>
        service.database.pool.query(
          `UPDATE transaction_versions SET currency = $2, body = regexp_replace(body, '"currency":"[A-Z]{3}"', '"currency":"' || $2 || '"')
            WHERE original_id = ANY($1)`,
          [originalIds, currency],
        );
      // An import has no currency per row. Sources do.
      await ids(['row-2', 'row-3'], 'EUR');
      await service.database.pool.query(
        `UPDATE transaction_versions SET body = replace(body, '"amount":4.1,"currency":"EUR"', '"amount":4.95,"currency":"USD"') WHERE original_id = 'row-2'`,
      );
      const rows = await table(`${PATH}?format=csv`);
      const shown = rows.map((row) => [
        row['currency'],
        row['signed_amount'],
        row['account_currency'],
        row['account_amount'],
      ]);
      await ids(['row-2', 'row-3'], 'USD');
      expect(shown.slice(0, 4)).toEqual([
        ['USD', '12345678901234567.89', 'USD', '12345678901234567.89'],
        ['USD', '-4.5', 'USD', '-4.5'],
        ['EUR', '-4.5', 'USD', '-4.95'],
        ['EUR', '-4.5', 'USD', ''],
      ]);
    },
  );

  it('refuses an unknown format', async () => {
    expect(await get(`${PATH}?format=xlsx`)).toMatchObject({
      status: 422,
      body: { error_code: 'api_error.request.validation_failed' },
    });
  });
});

describe('An export of a link', () => {
  it('holds the facts of the link that an export of its user holds', async () => {
    const { exported_at: _, ...link } = (await get(`/links/${imported}/export`)).body as Record<
      string,
      unknown
    >;
    expect((await get(PATH)).body).toMatchObject({ links: [link] });
  });
});

describe('An export', () => {
  const IBAN = 'DE89370400440532013000';
  const MEMBERS = ['"owners":', '"numbers":', '"counterparty_numbers":', IBAN];

  it.each([
    ['users:read', []],
    ['users:read numbers:read', ['"numbers":', '"counterparty_numbers":', IBAN]],
    ['users:read identity:read', ['"owners":']],
    ['users:read products:read', MEMBERS],
  ])(
    'of a user shows account numbers and owners only with their scopes: %s',
    async (scope, shown) => {
      const limited = service.api.as(await service.token('pocket-ledger', 'sandbox', scope));
      for (const format of ['json', 'jsonl']) {
        const { text } = await limited.get(`${PATH}?format=${format}`);
        expect(MEMBERS.filter((member) => text.includes(member))).toEqual(shown);
        expect(text).toContain('12345678901234567.89');
      }
      const { text: csv } = await limited.get(`${PATH}?format=csv`);
      expect(csv.includes(IBAN)).toBe(shown.includes(IBAN));
    },
  );

  it('of a link shows neither account numbers nor owners with transactions:read', async () => {
    const scope = 'transactions:read';
    const limited = service.api.as(await service.token('pocket-ledger', 'sandbox', scope));
    const { text } = await limited.get(`/links/${imported}/export?format=json`);
    expect(MEMBERS.filter((member) => text.includes(member))).toEqual([]);
    expect(text).toContain('12345678901234567.89');
  });
});
