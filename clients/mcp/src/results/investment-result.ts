import type { Holding, InvestmentTransaction, Security } from '@tributary/node';
import { untrustedText } from './untrusted-text.js';

/** Lots of a holding in a result, which has up to a hundred holdings. */
const MAX_LOTS = 10;

/** A holding with the security that it names. */
export function holdingResult(holding: Holding, security: Security | undefined) {
  return {
    holding_id: holding.holding_id,
    account_id: holding.account_id,
    security: securityResult(security),
    quantity: holding.quantity,
    price: holding.price,
    price_source: holding.price_source,
    price_factor: holding.price_factor,
    price_as_of: holding.price_as_of,
    value: holding.value,
    currency: holding.currency,
    cost_basis: holding.cost_basis,
    cost_basis_source: holding.cost_basis_source,
    cost_basis_evidence: holding.cost_basis_evidence,
    vested_quantity: holding.vested_quantity,
    untrusted_contribution_source: untrustedText(holding.contribution_source),
    is_cash: holding.is_cash,
    lot_count: holding.lots.length,
    lots: holding.lots.slice(0, MAX_LOTS).map(({ acquired_on, quantity, cost_basis, value }) => ({
      acquired_on,
      quantity,
      cost_basis,
      value,
    })),
  };
}

export function investmentTransactionResult(
  row: InvestmentTransaction,
  security: Security | undefined,
) {
  return {
    investment_transaction_id: row.investment_transaction_id,
    account_id: row.account_id,
    security: securityResult(security),
    date: row.date.slice(0, 10),
    settled_on: row.settled_on,
    type: row.type,
    untrusted_subtype: untrustedText(row.subtype),
    quantity: row.quantity,
    price: row.price,
    price_factor: row.price_factor,
    amount: row.amount,
    gross: row.gross,
    fees: row.fees,
    taxes: row.taxes,
    currency: row.currency,
    pending: row.pending,
    cancels: row.cancels,
    transaction_id: row.transaction_id,
    untrusted_description: untrustedText(row.description),
  };
}

/** Names and symbols are the texts of the bank; identifiers have a check digit. */
function securityResult(security: Security | undefined) {
  if (security === undefined) return null;
  const { security_id, type, isin, cusip, sedol, figi, currency, option } = security;
  return {
    security_id,
    untrusted_name: untrustedText(security.name),
    untrusted_symbol: untrustedText(security.symbol),
    type,
    isin,
    cusip,
    sedol,
    figi,
    currency,
    option: option && {
      untrusted_underlying_symbol: untrustedText(option.underlying_symbol),
      kind: option.kind,
      expires_on: option.expires_on,
      strike_price: option.strike_price,
      contract_size: option.contract_size,
    },
    fixed_income: security.fixed_income,
  };
}

/** The securities of several pages, by id. */
export function securitiesById(
  bodies: readonly { securities: Security[] }[],
): ReadonlyMap<string, Security> {
  return new Map(
    bodies.flatMap(({ securities }) => securities.map((each) => [each.security_id, each])),
  );
}
