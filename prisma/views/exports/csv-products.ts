import type { CsvCell } from '../../../domain/exports/csv.js';
import { exactMembers, type ExactMember } from '../../../domain/exports/exact-members.js';
import { withDays } from '../../../domain/investments/present-holding.js';
import { LIABILITY_RATE_KINDS } from '../../../domain/liabilities/liability.js';
import {
  ACCOUNT_COLUMNS,
  accountCells,
  number,
  text,
  type CsvSource,
  type CsvTable,
} from './csv-table.js';
import { ExportedProducts } from './exported-products.js';

type Members = ReadonlyMap<string, ExactMember>;

/** Members of a security, by the ends of their columns. */
const SECURITY_MEMBERS: Readonly<Record<string, string>> = {
  name: 'name',
  symbol: 'symbol',
  exchange: 'exchange',
  isin: 'isin',
  cusip: 'cusip',
  sedol: 'sedol',
  figi: 'figi',
  type: 'type',
  subtype: 'subtype',
  option_kind: 'option.kind',
  strike_price: 'option.strike_price',
  expires_on: 'option.expires_on',
  matures_on: 'fixed_income.matures_on',
};

const SECURITY_COLUMNS = Object.keys(SECURITY_MEMBERS).map((name) => `security_${name}`);

/** Holdings without those that ended. */
export const HOLDINGS: CsvTable = {
  columns: [
    ...ACCOUNT_COLUMNS,
    ...['holding_id', 'security_id'],
    ...SECURITY_COLUMNS,
    ...['quantity', 'price', 'price_source', 'price_factor', 'price_as_of', 'value', 'currency'],
    ...['cost_basis', 'cost_basis_source', 'cost_basis_evidence', 'cost_basis_reported'],
    ...['vested_quantity', 'contribution_source', 'is_cash', 'first_seen', 'lots'],
  ],
  async *rows(source) {
    for await (const row of products(source).holdings(source.link.view.pk)) {
      if (row.ended !== null) continue;
      const holding = exactMembers(withDays(row.body, row.first_seen, row.ended));
      const lots = { number: `${countOf(holding, 'lots')}` };
      const members = [...holding, ...securityMembers(row.security), ['lots', lots] as const];
      yield cellsOf(HOLDINGS, source, new Map(members));
    }
  },
};

/** The current investment transactions, each in the order in which it was last changed. */
export const INVESTMENT_TRANSACTIONS: CsvTable = {
  columns: [
    ...ACCOUNT_COLUMNS,
    ...['investment_transaction_id', 'security_id'],
    ...SECURITY_COLUMNS,
    ...['date', 'datetime', 'settled_on', 'type', 'subtype', 'source_code', 'description'],
    ...['quantity', 'price', 'price_factor', 'amount', 'amount_source', 'gross', 'fees', 'taxes'],
    ...['currency', 'pending', 'cancels', 'transaction_id'],
  ],
  async *rows(source) {
    const { view, investmentSeq } = source.link;
    for await (const version of products(source).trades(view.pk, investmentSeq)) {
      if (version.replaced || version.removed) continue;
      const members = [...exactMembers(version.body), ...securityMembers(version.security)];
      yield cellsOf(INVESTMENT_TRANSACTIONS, source, new Map(members));
    }
  },
};

/** The column for the percentage of the first rate of a kind. */
const rateColumn = (kind: string) => `${kind}_rate`;

export const LIABILITIES: CsvTable = {
  columns: [
    ...ACCOUNT_COLUMNS,
    ...['kind', 'currency', 'balance', 'limit', 'available', 'statement_date', 'statement_balance'],
    ...['minimum_payment', 'next_payment_due_on', 'next_payment_amount', 'last_payment_date'],
    ...['last_payment_amount', 'past_due', 'is_overdue', 'interest_rate_percentage'],
    ...['interest_rate_type', ...LIABILITY_RATE_KINDS.map(rateColumn)],
    ...['principal_original', 'principal_outstanding', 'originated_on', 'matures_on'],
    ...['term_months', 'payments_total', 'payment_frequency', 'escrow', 'payoff_amount'],
    ...['year_to_date_interest', 'year_to_date_principal'],
  ],
  async *rows(source) {
    for await (const body of products(source).liabilities(source.link.view.pk)) {
      const members = exactMembers(body);
      const named = [...members].map(
        ([path, value]) => [path.replaceAll('.', '_'), value] as const,
      );
      yield cellsOf(LIABILITIES, source, new Map([...named, ...ratesOf(members)]));
    }
  },
};

const products = ({ ctx }: CsvSource) => new ExportedProducts(ctx);

function cellsOf({ columns }: CsvTable, source: CsvSource, members: Members): CsvCell[] {
  const accountId = members.get('account_id') ?? null;
  return [
    ...accountCells(source, accountId !== null && 'text' in accountId ? accountId.text : ''),
    ...columns
      .slice(ACCOUNT_COLUMNS.length)
      .map((name) => (DECIMAL_TEXTS.has(name) ? asNumber : asCell)(members.get(name) ?? null)),
  ];
}

/** Decimals that public JSON has as text. */
const DECIMAL_TEXTS: ReadonlySet<string> = new Set([
  'quantity',
  'price',
  'price_factor',
  'vested_quantity',
  'security_strike_price',
]);

const asCell = (member: ExactMember): CsvCell => member ?? text(null);
const asNumber = (member: ExactMember): CsvCell =>
  number(member === null ? null : 'text' in member ? member.text : member.number);

function securityMembers(json: string | null): [string, ExactMember][] {
  const members: Members = json === null ? new Map() : exactMembers(json);
  return Object.entries(SECURITY_MEMBERS).map(([name, path]) => [
    `security_${name}`,
    members.get(path) ?? null,
  ]);
}

function ratesOf(members: Members): Map<string, ExactMember> {
  const rates = new Map<string, ExactMember>();
  for (let index = 0; index < countOf(members, 'rates'); index += 1) {
    const kind = members.get(`rates.${index}.kind`) ?? null;
    const name = kind !== null && 'text' in kind ? rateColumn(kind.text) : '';
    if (!rates.has(name)) rates.set(name, members.get(`rates.${index}.percentage`) ?? null);
  }
  return rates;
}

/** The length of a list of objects. */
function countOf(members: Members, list: string): number {
  const positions = [...members.keys()].filter((path) => path.startsWith(`${list}.`));
  return new Set(positions.map((path) => path.split('.')[1])).size;
}
