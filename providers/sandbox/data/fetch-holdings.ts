import type {
  FetchedCost,
  FetchedHolding,
  FetchedHoldingsAccount,
} from '../../../domain/investments/fetched-holding.js';
import { inMainCurrency } from '../../../domain/investments/main-currency.js';
import type { ProviderAccess, ProviderHoldings } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { callConnection } from '../client/connection-call.js';
import { plainText } from '../../http/plain-text.js';
import { readEach, readPart, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { MAX_ACCOUNTS } from './fetch-accounts.js';
import { currencyIn, toSecurity } from './to-security.js';

/** Of all accounts, and of each of them. */
const MAX_HOLDINGS = 5_000;
const MAX_LOTS = 100;

export async function fetchHoldings(
  callBank: BankClient,
  access: ProviderAccess,
): Promise<ProviderHoldings> {
  const response = new RemoteObject(
    await callConnection(callBank, access, { part: 'holdings' }),
    'response',
  );
  return toHoldings(response, access);
}

/**
 * The bank lists accounts and holdings side by side. An unreadable account loses its holdings, an
 * unreadable holding only itself.
 */
export function toHoldings(
  response: RemoteObject,
  { note }: Pick<ProviderAccess, 'note'>,
): ProviderHoldings {
  const unknown = { account: null, note };
  const seen = new Set<string>();
  const accounts = readEach(
    response.list('accounts', MAX_ACCOUNTS),
    { ...unknown, scope: 'account' },
    (remote) => {
      const account = new RemoteObject(remote, 'account').text('account_id', { max: 100 });
      const scope = { account, note };
      return readPart({ ...scope, scope: 'account' }, () => {
        if (seen.has(account)) throw new Unreadable('account', 'account_id', 'repeated', 'one');
        seen.add(account);
        return toAccount(new RemoteObject(remote, 'account', scope), account);
      });
    },
  ).filter((account) => account !== null);
  const byId = new Map(accounts.map((account) => [account.providerAccountId, account]));
  const holdings = readEach(
    response.list('holdings', MAX_HOLDINGS),
    { ...unknown, scope: 'account' },
    (remote) => {
      const id = new RemoteObject(remote, 'holding').text('account_id', { max: 100 });
      const account = byId.get(id);
      if (account === undefined) {
        // Noted with its account, if that could not be read.
        if (seen.has(id)) return null;
        throw new Unreadable('holding', 'account_id', 'impossible', 'an account of the list');
      }
      const scope = { account: id, note };
      return readPart({ ...scope, scope: 'row' }, () => toHolding(remote, { account, scope }));
    },
  );
  return { accounts, holdings: holdings.filter((holding) => holding !== null) };
}

function toAccount(account: RemoteObject, providerAccountId: string): FetchedHoldingsAccount {
  const amount = (field: string) => account.maybe(field, (it) => it.figure(field));
  return {
    providerAccountId,
    currency: account.currency('currency'),
    balance: amount('balance'),
    reportedCash: amount('available_cash'),
  };
}

/** @throws Unreadable without a quantity or a security */
export function toHolding(
  remote: unknown,
  { account, scope }: { account: FetchedHoldingsAccount; scope: ReadScope },
): FetchedHolding {
  const row = new RemoteObject(remote, 'holding', scope);
  const { currency, divisor } = currencyIn(row) ?? {
    currency: account.currency,
    divisor: 1 as const,
  };
  const money = moneyIn(divisor);
  return {
    providerAccountId: account.providerAccountId,
    providerHoldingId: row.maybe('holding_id', (it) => it.text('holding_id', { max: 100 })),
    security: toSecurity(row.object('security')),
    quantity: row.figure('quantity'),
    price: row.maybe('price', (it) => {
      const price = it.figure('price');
      if (price.isNegative()) throw new Unreadable('holding', 'price', 'impossible', 'a price');
      return inMainCurrency(price, divisor);
    }),
    priceAsOf: row.maybe('price_date', (it) => it.day('price_date')),
    value: money(row, 'value'),
    currency,
    cost: toCost(row, money),
    lots: row.parts('lots', MAX_LOTS, (lot) => ({
      providerLotId: lot.maybe('lot_id', (it) => it.text('lot_id', { max: 100 })),
      acquiredOn: lot.maybe('acquired_on', (it) => it.day('acquired_on')),
      quantity: lot.figure('quantity'),
      pricePaid: money(lot, 'purchase_price'),
      costBasis: money(lot, 'cost_basis'),
      value: money(lot, 'value'),
    })),
    vestedQuantity: row.maybe('vested_quantity', (it) => it.figure('vested_quantity')),
    contributionSource: row.plain('contribution_source', 100)?.toLowerCase() ?? null,
    isCash: row.maybe('is_cash', (it) => it.boolean('is_cash')),
    acquiredOn: row.maybe('acquired_on', (it) => it.day('acquired_on')),
    subAccount: null,
  };
}

type ReadMoney = ReturnType<typeof moneyIn>;

/** Reads optional money into units of the main currency. */
export const moneyIn = (divisor: 1 | 100) => (remote: RemoteObject, field: string) =>
  remote.maybe(field, (it) => inMainCurrency(it.figure(field), divisor));

/** Not every custodian states that it means the total (`cost_basis_kind`). */
function toCost(row: RemoteObject, money: ReadMoney): FetchedCost {
  const sent = row.any('cost_basis');
  return {
    reported:
      typeof sent === 'string' || typeof sent === 'number' ? plainText(String(sent), 100) : null,
    basis: money(row, 'cost_basis'),
    pricePaid: money(row, 'purchase_price'),
    isTotal: row.maybe('cost_basis_kind', (it) => it.oneOf('cost_basis_kind', ['TOTAL'])) !== null,
  };
}
