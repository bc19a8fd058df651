import { Decimal } from 'decimal.js';
import type { FetchedHolding } from '../../../../domain/investments/fetched-holding.js';
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import type { IncompleteAccount } from '../../../../domain/refresh/incomplete-answer.js';
import {
  FIRST_PLACE,
  HoldingRepository,
} from '../../../../prisma/links/investments/holding.repository.js';
import {
  beginFetch,
  type Storage,
  type StoredLink,
} from '../../../support/fixtures/stored-link.js';

/** A security with a symbol, or with other identifiers. */
export function security(fields: Partial<FetchedSecurity> = {}): FetchedSecurity {
  return {
    ownId: null,
    name: 'Example Total Market',
    symbol: 'EXTMX',
    exchange: null,
    isin: null,
    cusip: null,
    sedol: null,
    figi: null,
    type: null,
    subtype: null,
    currency: 'USD',
    isCashEquivalent: null,
    option: null,
    fixedIncome: null,
    ...fields,
  };
}

/** A holding of the account `checking`; figures as text. */
export function holding(
  id: string | null,
  fields: Partial<Omit<FetchedHolding, 'quantity' | 'price' | 'value' | 'cost'>> & {
    quantity?: string;
    price?: string | null;
    value?: string | null;
    cost?: string | null;
    paid?: string | null;
  } = {},
): FetchedHolding {
  const {
    quantity = '10',
    price = null,
    value = '1000',
    cost = null,
    paid = null,
    ...rest
  } = fields;
  const decimal = (text: string | null) => (text === null ? null : new Decimal(text));
  return {
    providerAccountId: 'checking',
    providerHoldingId: id,
    security: security(),
    quantity: new Decimal(quantity),
    price: decimal(price),
    priceAsOf: null,
    value: decimal(value),
    currency: 'USD',
    cost: { reported: cost, basis: decimal(cost), pricePaid: decimal(paid), isTotal: false },
    lots: [],
    vestedQuantity: null,
    contributionSource: null,
    isCash: null,
    acquiredOn: null,
    subAccount: null,
    ...rest,
  };
}

/** A refresh in which the bank lists these holdings and nothing else. */
export async function listHoldings(
  storage: Storage,
  link: StoredLink,
  holdings: readonly FetchedHolding[],
  {
    balance = null,
    accounts = ['checking'],
    incomplete = [],
  }: {
    balance?: string | null;
    accounts?: readonly string[];
    incomplete?: readonly IncompleteAccount[];
  } = {},
): Promise<number> {
  const { changed } = await storage.refresh.storeInvestments(
    link.linkId,
    await beginFetch(storage, link, 'investments'),
    {
      accounts: accounts.map((providerAccountId) => ({
        providerAccountId,
        currency: 'USD',
        balance: balance === null ? null : new Decimal(balance),
        reportedCash: null,
      })),
      holdings,
      trades: null,
    },
    incomplete,
  );
  return changed;
}

/** A holding as an app reads it. */
export interface ShownHolding {
  holding_id: string;
  security_id: string;
  quantity: string;
  price: string | null;
  value: number | null;
  cost_basis: number | null;
  cost_basis_source: string | null;
  lots: unknown[];
  first_seen: string;
  ended: string | null;
}

/** All holdings of a link, read in pages; now, or on a day. */
export async function shownHoldings(
  { ctx }: Storage,
  { pk }: StoredLink,
  { on, limit = 500 }: { on?: string; limit?: number } = {},
) {
  const repository = new HoldingRepository(ctx);
  const holdings: ShownHolding[] = [];
  const accounts: { account_id: string; cash: { amount: number | null } }[] = [];
  const securities = new Map<
    string,
    { security_id: string; name: string; symbol: string | null }
  >();
  const sizes: number[] = [];
  for (let from = FIRST_PLACE; ;) {
    const page =
      on === undefined
        ? await repository.page(pk, { from, limit })
        : await repository.pageOn(on, pk, { from, limit });
    const shown = page.holdings.map((body) => JSON.parse(body) as ShownHolding);
    sizes.push(shown.reduce((total, { lots }) => total + 1 + lots.length, 0));
    holdings.push(...shown);
    accounts.push(...page.accounts.map((body) => JSON.parse(body) as (typeof accounts)[number]));
    for (const body of page.securities) {
      const its = JSON.parse(body) as { security_id: string; name: string; symbol: string | null };
      securities.set(its.security_id, its);
    }
    if (page.next === null) return { holdings, accounts, securities, sizes };
    from = page.next;
  }
}
