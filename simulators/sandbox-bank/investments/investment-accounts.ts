import { accountIdOf, accountsShownTo } from '../accounts/accounts.js';
import { dataKindOf, type Customer } from '../customers/customer.js';
import type { AccountTemplate } from '../institutions/account-templates.js';
import { brokerageMovements } from './brokerage.js';
import { createMarket, type Market } from './market.js';
import type { Movement } from './movement.js';
import { globalMovements, retirementMovements } from './other-portfolios.js';

/** The form in which an account's custodian lists positions and their cost. */
export type CustodianStyle =
  /** One row for a position; the cost is the total, and stated to be. */
  | 'totals'
  /** One row for each lot; the cost is that of one unit, and nothing states it. */
  | 'lots_per_unit';

/** An account with positions, and everything that ever happened in it. */
export interface InvestmentAccount {
  accountId: string;
  template: AccountTemplate;
  style: CustodianStyle;
  /** Until today. */
  movements: readonly Movement[];
}

const PORTFOLIOS: Readonly<
  Record<
    string,
    { style: CustodianStyle; movements: (market: Market, today: number) => Movement[] }
  >
> = {
  brokerage: { style: 'totals', movements: brokerageMovements },
  'retirement-401k': { style: 'totals', movements: retirementMovements },
  'global-trading': { style: 'lots_per_unit', movements: globalMovements },
};

/** The investment accounts that the permission covers, on a day of the customer's world. */
export function investmentAccountsOf(
  customer: Customer,
  market: Market,
  today: number,
): InvestmentAccount[] {
  if (dataKindOf(customer) === 'custom') return [];
  return accountsShownTo(customer).flatMap((template) => {
    const portfolio = PORTFOLIOS[template.key];
    if (portfolio === undefined) return [];
    const movements = portfolio.movements(market, today).filter(({ day }) => day <= today);
    return [
      { accountId: accountIdOf(customer, template), template, style: portfolio.style, movements },
    ];
  });
}

export const marketOf = ({ worldSeed }: Customer): Market => createMarket(worldSeed);
