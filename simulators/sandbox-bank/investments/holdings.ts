import type { Decimal } from 'decimal.js';
import type { BankAccount } from '../accounts/accounts.js';
import { dataKindOf, derivedId, type Customer } from '../customers/customer.js';
import { customHoldings } from './custom-holdings.js';
import { isoDateOf } from '../transactions/day-number.js';
import { cents, sumOf } from '../accounts/figures.js';
import type { BankHolding, BankHoldingsAccount, BankHoldings } from './bank-holding.js';
import type { HoldingsChange } from './holdings-change.js';
import type { InvestmentAccount } from './investment-accounts.js';
import type { Market } from './market.js';
import { CONTRIBUTION_SOURCES } from './other-portfolios.js';
import { portfoliosOf } from './portfolios.js';
import { costOf, portfolioAfter, quantityOf, type Lot, type Position } from './positions.js';
import { quotedIn } from './quoted-in.js';
import { reissuedId, reissuesIn, scriptedHolding, type ListedHolding } from './scripted-holding.js';

/**
 * All positions that the permission covers, after the steps of scripts. `value` and cash of an
 * account add up to its balance.
 */
export function holdingsOf(
  customer: Customer,
  today: number,
  changes: readonly HoldingsChange[] = [],
): BankHoldings {
  const reissues = reissuesIn(changes);
  if (dataKindOf(customer) === 'custom') return customHoldings(customer);
  const found = listedHoldings(customer, today, changes);
  return {
    accounts: found.map(({ account, cash, rows }) => shownAccount(account, cash, rows)),
    holdings: found.flatMap(({ rows }) =>
      rows.map(({ holding: row }) => ({
        ...row,
        holding_id: reissuedId(customer, row.holding_id, reissues),
      })),
    ),
  };
}

/** A row of an account's list under its first id, with the position that it shows. */
export type ListedPosition = ListedHolding & { position: Position };

/** An account with its list. A position without rows was dropped from it. */
interface ListedAccount {
  account: InvestmentAccount;
  cash: Decimal;
  positions: Position[];
  rows: ListedPosition[];
}

/** The lists of holdings by account. */
export function listedHoldings(
  customer: Customer,
  today: number,
  changes: readonly HoldingsChange[],
): ListedAccount[] {
  const { accounts, market } = portfoliosOf(customer, today, changes);
  const place = { customer, market, today };
  return accounts.map((account) => {
    const { positions, cash } = portfolioAfter(account.movements);
    const rows = positions.flatMap((position) => {
      const { lots } = position;
      return (account.style === 'totals' ? [lots] : lots.map((lot) => [lot])).flatMap((shown) => {
        const listed = {
          holding: holding(account, position, shown, place),
          value: valueOf(position, shown, place),
        };
        const row = scriptedHolding(listed, position.security, changes);
        return row === null ? [] : [{ ...row, position }];
      });
    });
    return { account, cash, positions, rows };
  });
}

/** Gives investment accounts the balance of their positions. */
export function withInvestedBalances(
  accounts: readonly BankAccount[],
  { accounts: invested }: BankHoldings,
): BankAccount[] {
  return accounts.map((account) => {
    const found = invested.find(({ account_id: id }) => id === account.account_id);
    if (found === undefined) return account;
    const { balance: current, available_cash: cash } = found;
    const available = cash ?? account.balances.available;
    return { ...account, balances: { ...account.balances, current, available } };
  });
}

interface Place {
  customer: Customer;
  market: Market;
  today: number;
}

function shownAccount(
  { accountId, template, style }: InvestmentAccount,
  cash: Decimal,
  rows: readonly ListedPosition[],
): BankHoldingsAccount {
  const inCash = rows.filter(({ position }) => isCash(position) === true);
  const withValueOf = (listed: readonly ListedPosition[]) =>
    cash.plus(sumOf(listed.map(({ value }) => value))).toFixed(2);
  return {
    account_id: accountId,
    currency: template.currency,
    balance: withValueOf(rows),
    available_cash: style === 'totals' ? withValueOf(inCash) : null,
  };
}

function holding(
  { accountId, template, style }: InvestmentAccount,
  position: Position,
  lots: readonly Lot[],
  place: Place,
): BankHolding {
  const { security, source } = position;
  const { price, asOf } = place.market.quoteOn(security, place.today);
  const { shown } = security;
  const quoted = quotedIn(shown.currency);
  const [first] = lots;
  const id = (prefix: string, ...parts: string[]) =>
    derivedId(prefix, place.customer, template.key, security.key, source ?? '', ...parts);
  const vested = CONTRIBUTION_SOURCES.find((it) => it.source === source)?.vested;
  const isLot = style === 'lots_per_unit' && first !== undefined;
  const quantity = quantityOf(lots);
  const cost = costOf(lots);
  return {
    holding_id: isLot ? id('hold', first.key) : id('hold'),
    account_id: accountId,
    security: shown,
    quantity: quantity.toFixed(),
    price: quoted(price),
    price_date: isoDateOf(asOf),
    value: quoted(valueOf(position, lots, place)),
    currency: shown.currency,
    cost_basis:
      cost === null
        ? null
        : isLot
          ? quoted(cost.dividedBy(quantity).toDecimalPlaces(6))
          : quoted(cost),
    cost_basis_kind: isLot || cost === null ? null : 'TOTAL',
    purchase_price: isLot && first.price !== null ? quoted(first.price) : null,
    lots:
      shown.kind !== 'FUND' || shown.security_id === null
        ? []
        : lots.map((lot) => ({
            lot_id: id('lot', lot.key),
            acquired_on: isoDateOf(lot.day),
            quantity: lot.quantity.toFixed(),
            purchase_price: lot.price === null ? null : quoted(lot.price),
            cost_basis: lot.cost === null ? null : quoted(lot.cost),
            value: quoted(valueOf(position, [lot], place)),
          })),
    vested_quantity:
      vested === undefined ? null : quantity.times(vested).toDecimalPlaces(6).toFixed(),
    contribution_source: source,
    is_cash: isCash(position),
    acquired_on: isLot ? isoDateOf(first.day) : null,
  };
}

/** In main currency. */
function valueOf({ security }: Position, lots: readonly Lot[], { market, today }: Place): Decimal {
  const { price } = market.quoteOn(security, today);
  return cents(quantityOf(lots).times(price).times(security.priceFactor));
}

const isCash = ({ security: { shown } }: Position): boolean | null => shown.cash_equivalent;
