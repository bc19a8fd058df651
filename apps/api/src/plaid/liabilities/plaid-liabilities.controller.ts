import { Controller } from '@nestjs/common';
import type { AccountType } from '../../../../../domain/accounts/account-types.js';
import { liabilityKindOf } from '../../../../../domain/liabilities/liability-kind.js';
import type { PresentedLiability } from '../../../../../domain/liabilities/present-liability.js';
import { plaidLiabilities } from '../../../../../domain/plaid/liabilities.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { LiabilityRepository } from '../../../../../prisma/links/liabilities/liability.repository.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { ItemGate } from '../access/item-gate.js';
import { AccountsRequest, type AccountsBody } from '../accounts/accounts.requests.js';
import { chosenAccounts } from '../accounts/chosen-accounts.js';
import { PlaidError } from '../errors/plaid-error.js';
import { ItemPresenter } from '../items/item-presenter.js';
import { RefreshItem } from '../items/refresh-item.js';
import { presentAccount } from '../shapes/plaid-account.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';

/** Source: plaid-compat 6.8. */
@Controller()
export class PlaidLiabilitiesController {
  constructor(
    private readonly gate: ItemGate,
    private readonly accounts: AccountRepository,
    private readonly liabilities: LiabilityRepository,
    private readonly items: ItemPresenter,
    private readonly refresh: RefreshItem,
  ) {}

  @PlaidRoute({
    path: '/liabilities/get',
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    scope: 'liabilities:read',
    request: AccountsRequest,
    item: true,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentItem() asked: Item,
    @PlaidBody() { options }: AccountsBody,
  ) {
    const readiness = await this.gate.readiness(caller, asked, 'liabilities', 'stored');
    const item =
      readiness === 'ready' ? asked : await this.refresh.first(caller, asked, 'liabilities');
    const { linkId } = item.link;
    const open = await this.accounts.list(caller, linkId);
    const served = new Set(open.filter(({ accountType }) => isServed(accountType)));
    if (served.size === 0) throw new PlaidError('NO_LIABILITY_ACCOUNTS');
    const accounts = chosenAccounts(open, options.account_ids).filter((account) =>
      served.has(account),
    );
    const { bodies } = await this.liabilities.list(caller, linkId, {
      accountIds: accounts.map(({ accountId }) => accountId),
      limit: accounts.length,
    });
    return {
      accounts: accounts.map(presentAccount),
      liabilities: plaidLiabilities(bodies.map((body) => JSON.parse(body) as PresentedLiability)),
      item: this.items.embedded(item),
    };
  }
}

/** Only types of domain/accounts/account-types.ts are stored. */
const isServed = (accountType: string) => liabilityKindOf(accountType as AccountType) !== null;
