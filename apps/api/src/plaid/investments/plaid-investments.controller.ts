import { Controller } from '@nestjs/common';
import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { plaidAccountType } from '../../../../../domain/plaid/account-type.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { HoldingRepository } from '../../../../../prisma/links/investments/holding.repository.js';
import { PlaidInvestmentsRepository } from '../../../../../prisma/views/plaid/plaid-investments.repository.js';
import { mapInTurns } from '../../http/in-turns.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { ItemGate } from '../access/item-gate.js';
import { AccountsRequest, type AccountsBody } from '../accounts/accounts.requests.js';
import { chosenAccounts } from '../accounts/chosen-accounts.js';
import { PlaidError } from '../errors/plaid-error.js';
import { ItemPresenter } from '../items/item-presenter.js';
import { ItemRequest } from '../items/item.requests.js';
import { RefreshItem } from '../items/refresh-item.js';
import { presentHoldingsAccount, presentInvestmentAccount } from '../shapes/investment-account.js';
import { presentHolding } from '../shapes/plaid-holding.js';
import { presentInvestmentTransaction } from '../shapes/plaid-investment-transaction.js';
import { presentSecurity } from '../shapes/plaid-security.js';
import type { StoredSecurity, StoredTrade } from '../shapes/stored-investments.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { ListTradesRequest, type ListTradesBody } from './investments.requests.js';
import { readHoldings } from './read-holdings.js';

/** Source: plaid-compat 6.9, 6.10. */
@Controller()
export class PlaidInvestmentsController {
  constructor(
    private readonly gate: ItemGate,
    private readonly accounts: AccountRepository,
    private readonly holdings: HoldingRepository,
    private readonly investments: PlaidInvestmentsRepository,
    private readonly items: ItemPresenter,
    private readonly refresh: RefreshItem,
  ) {}

  @PlaidRoute({
    path: '/investments/holdings/get',
    reads: {
      by: 'stored',
      rows: 'the holdings of a link, at most 5,000 of an account',
      inTurn: true,
    },
    scope: 'investments:read',
    request: AccountsRequest,
    item: true,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentItem() asked: Item,
    @PlaidBody() { options }: AccountsBody,
  ) {
    const item = await this.fetchedOnce(caller, asked);
    const open = await this.accounts.list(caller, item.link.linkId);
    const accounts = await this.served(item, open, options.account_ids);
    const read = await readHoldings(this.holdings, item.link.pk, idsOf(accounts));
    const shown = await mapInTurns(read.holdings, (holding) => {
      const security = read.securities.get(holding.security_id);
      const presented = security && presentHolding(holding, security);
      return presented ? [presented] : [];
    });
    const holdings = shown.flat();
    const held = new Set(holdings.map(({ security_id: id }) => id));
    const cash = new Set(
      read.holdings.flatMap(({ is_cash: isCash, security_id: id }) =>
        isCash === true ? [id] : [],
      ),
    );
    return {
      accounts: accounts.map((account) =>
        presentHoldingsAccount(account, read.accounts.get(account.accountId)),
      ),
      holdings,
      securities: [...read.securities.values()]
        .filter(({ security_id: id }) => held.has(id))
        .map((security) => presentSecurity(security, cash.has(security.security_id) ? true : null)),
      item: this.items.embedded(item),
    };
  }

  @PlaidRoute({
    path: '/investments/transactions/get',
    reads: { by: 'page', parameter: 'count', rows: 500 },
    scope: 'investments:read',
    request: ListTradesRequest,
    item: true,
  })
  async transactions(
    @CurrentCaller() caller: Caller,
    @CurrentItem() asked: Item,
    @PlaidBody() { start_date: start, end_date: end, options }: ListTradesBody,
  ) {
    const item = options.async_update
      ? await this.fetchedBefore(caller, asked)
      : await this.fetchedOnce(caller, asked);
    const all = await this.accounts.all(caller, item.link.linkId);
    const accounts = await this.served(item, all, options.account_ids);
    const { total, trades, securities } = await this.investments.currentTrades({
      linkPk: item.link.pk,
      accountIds: idsOf(accounts),
      start,
      end,
      offset: options.offset,
      size: options.count,
    });
    const byId = new Map(
      securities.map((body) => {
        const security = JSON.parse(body) as StoredSecurity;
        return [security.security_id, security];
      }),
    );
    return {
      accounts: accounts.map(presentInvestmentAccount),
      investment_transactions: await mapInTurns(trades, (body) => {
        const trade = JSON.parse(body) as StoredTrade;
        return presentInvestmentTransaction(trade, byId.get(trade.security_id ?? '') ?? null);
      }),
      securities: [...byId.values()].map((security) => presentSecurity(security)),
      total_investment_transactions: total,
      item: this.items.embedded(item),
    };
  }

  @PlaidRoute({
    path: '/investments/refresh',
    reads: null,
    scope: 'products:refresh',
    request: ItemRequest,
    item: true,
  })
  async begin(@CurrentCaller() caller: Caller, @CurrentItem() item: Item): Promise<void> {
    await this.refresh.begin(caller, item, 'investments');
  }

  /** The Item after the first fetch, which is waited for. @throws PlaidError, ApiError */
  private async fetchedOnce(caller: Caller, item: Item): Promise<Item> {
    const readiness = await this.gate.readiness(caller, item, 'investments', 'stored');
    return readiness === 'ready' ? item : this.refresh.first(caller, item, 'investments');
  }

  /** @throws PlaidError `PRODUCT_NOT_READY` when the first fetch was only just requested */
  private async fetchedBefore(caller: Caller, item: Item): Promise<Item> {
    await this.gate.admit(caller, item, 'investments', 'stored');
    return item;
  }

  /**
   * The investment accounts among the chosen ones: also those of unknown type that hold anything,
   * because some sources state no types. @throws PlaidError
   */
  private async served(
    { link }: Item,
    accounts: readonly AccountRecord[],
    ids: readonly string[] | undefined,
  ): Promise<AccountRecord[]> {
    const holding = await this.investments.accountsWithHoldings(link.pk);
    const isServed = ({ accountId, accountType }: AccountRecord) => {
      const { type } = plaidAccountType(accountType);
      return type === 'investment' || (type === 'other' && holding.has(accountId));
    };
    if (!accounts.some((account) => !account.closed && isServed(account)))
      throw new PlaidError('NO_INVESTMENT_ACCOUNTS');
    return chosenAccounts(accounts, ids).filter(isServed);
  }
}

const idsOf = (accounts: readonly AccountRecord[]) => accounts.map(({ accountId }) => accountId);
