import { derivedId } from '../ledger/draws.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Account, Bank, Row } from '../ledger/ledger.types.js';
import type { AccountRequest } from './account-request.js';
import { holdingsOf } from './holding-view.js';

/** An entry of `errlist` (protocol 2, "Error"). */
export interface SimplefinError {
  code: 'gen.' | 'gen.api' | 'gen.auth' | 'con.' | 'act.missingdata';
  msg: string;
  conn_id?: string;
  account_id?: string;
}

const vendorId = (kind: 'ACT' | 'CON' | 'INST' | 'TRN', id: string): string =>
  `${kind}-${derivedId('simplefin', kind, id)}`;

/** This vendor's ids of the ledger's objects. */
export const simplefinIds = {
  account: ({ id }: Account): string => vendorId('ACT', id),
  connection: (customerId: string, bank: Bank): string =>
    vendorId('CON', `${customerId}/${bank.id}`),
  organization: ({ id }: Bank): string => vendorId('INST', id),
  row: ({ id }: Row): string => vendorId('TRN', id),
};

/** The form of holdings in a response to `balances-only=1`, in which servers may differ. */
export const HOLDINGS_WITHOUT_ROWS = ['listed', 'empty', 'absent'] as const;
export type HoldingsWithoutRows = (typeof HOLDINGS_WITHOUT_ROWS)[number];

interface ResponseParts {
  sfinUrl: string;
  warnings: readonly SimplefinError[];
  holdings: HoldingsWithoutRows;
}

/**
 * The response of `GET /accounts`, in the requested version. A bank that is down is an error
 * of its connection, and its accounts are missing; an account that is down has no rows and an error
 * of its own.
 */
export function accountSet(
  ledger: Ledger,
  customerId: string,
  request: AccountRequest,
  { sfinUrl, warnings, holdings }: ResponseParts,
): Record<string, unknown> {
  const connections = ledger.connectionsAt('simplefin', customerId);
  const errors = [...warnings];
  const accounts: Record<string, unknown>[] = [];
  for (const { bank, accounts: held } of connections) {
    const connId = simplefinIds.connection(customerId, bank);
    if (bank.isDown) {
      errors.push({ code: 'con.', msg: `Connection to ${bank.name} failed.`, conn_id: connId });
      continue;
    }
    for (const account of held) {
      const id = simplefinIds.account(account);
      if (request.accounts.length > 0 && !request.accounts.includes(id)) continue;
      if (account.isDown) {
        const msg = `Incomplete transaction listing of ${account.name}. Try again later.`;
        errors.push({ code: 'act.missingdata', msg, account_id: id });
      }
      ledger.startListing(account);
      const origin = request.version === 2 ? { conn_id: connId } : { org: org(bank, sfinUrl) };
      accounts.push({
        ...origin,
        ...accountView(account, request, { now: ledger.now(), holdings }),
      });
    }
  }
  if (request.version === 1) return { errors: errors.map(({ msg }) => msg), accounts };
  return {
    errlist: errors,
    connections: connections.map(({ bank }) => ({
      conn_id: simplefinIds.connection(customerId, bank),
      name: `${bank.name} - ${ledger.customer(customerId).name}`,
      org_id: simplefinIds.organization(bank),
      org_name: bank.name,
      org_url: `https://${bank.domain}`,
      sfin_url: sfinUrl,
    })),
    accounts,
  };
}

const org = (bank: Bank, sfinUrl: string) => ({
  domain: bank.domain,
  name: bank.name,
  'sfin-url': sfinUrl,
  url: `https://${bank.domain}`,
  id: simplefinIds.organization(bank),
});

function accountView(
  account: Account,
  request: AccountRequest,
  { now, holdings }: { now: Date; holdings: HoldingsWithoutRows },
) {
  const { current, available } = account.balances;
  return {
    id: simplefinIds.account(account),
    name: `${account.name} (${account.mask})`,
    currency: account.currency,
    balance: current,
    // optional where it equals the balance
    ...(available === null || available === current ? {} : { 'available-balance': available }),
    'balance-date': Math.floor(now.getTime() / 1_000),
    transactions:
      request.balancesOnly || account.isDown
        ? []
        : account.rows.filter((row) => isWanted(row, request)).map(transaction),
    ...(request.balancesOnly ? listed(holdings, account) : { holdings: holdingsOf(account) }),
  };
}

const listed = (holdings: HoldingsWithoutRows, account: Account) =>
  ({ listed: { holdings: holdingsOf(account) }, empty: { holdings: [] }, absent: {} })[holdings];

/** Pending rows come with every request that wants them: they have no day on which they posted. */
function isWanted(row: Row, { start, end, pending }: AccountRequest): boolean {
  if (row.status === 'pending') return pending;
  const at = epochOf(row);
  return at >= start && at < end;
}

function transaction(row: Row) {
  return {
    id: simplefinIds.row(row),
    posted: row.status === 'pending' ? 0 : epochOf(row),
    amount: row.amount,
    description: row.description,
    ...(row.merchant === null ? {} : { payee: row.merchant }),
    ...(row.details.memo === undefined ? {} : { memo: row.details.memo }),
    ...(row.details.mcc === undefined ? {} : { mcc: row.details.mcc }),
    transacted_at: epochOf(row),
    ...(row.status === 'pending' ? { pending: true } : {}),
  };
}

const epochOf = ({ instant }: Row): number => Math.floor(Date.parse(instant) / 1_000);
