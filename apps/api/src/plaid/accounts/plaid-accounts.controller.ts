import { Controller } from '@nestjs/common';
import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import type { Product } from '../../../../../domain/link/products.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { PlaidError } from '../errors/plaid-error.js';
import { ItemGate, refuseByState } from '../access/item-gate.js';
import { ItemPresenter } from '../items/item-presenter.js';
import { RefreshItem } from '../items/refresh-item.js';
import { presentAccount } from '../shapes/plaid-account.js';
import { expectsNumbers, servesNumbers } from '../../../../../domain/plaid/account-type.js';
import { presentNumbers, type StoredNumbers } from '../shapes/numbers.js';
import { presentOwners, type StoredOwner } from '../shapes/owner.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { AccountsRequest, type AccountsBody } from './accounts.requests.js';
import { chosenAccounts } from './chosen-accounts.js';

/** Stored accounts of an Item; only /accounts/balance/get fetches them again. Source: plaid-compat 6, 6.2. */
@Controller()
export class PlaidAccountsController {
  constructor(
    private readonly gate: ItemGate,
    private readonly accounts: AccountRepository,
    private readonly items: ItemPresenter,
    private readonly refresh: RefreshItem,
  ) {}

  @PlaidRoute({
    path: '/accounts/get',
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    scope: 'transactions:read',
    request: AccountsRequest,
    item: true,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() { options }: AccountsBody,
  ) {
    await this.gate.admit(caller, item, 'accounts', 'stored');
    const accounts = await this.openAccounts(caller, item, options);
    return { accounts: accounts.map(presentAccount), item: this.items.embedded(item) };
  }

  @PlaidRoute({
    path: '/accounts/balance/get',
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    scope: 'transactions:read',
    request: AccountsRequest,
    item: true,
  })
  async balances(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() body: AccountsBody,
  ) {
    refuseByState(item, 'live');
    // An unknown account id is refused before the fetch.
    chosenAccounts(await this.accounts.list(caller, item.link.linkId), body.options.account_ids);
    return this.list(caller, await this.refresh.fetch(caller, item, 'accounts'), body);
  }

  @PlaidRoute({
    path: '/auth/get',
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    scope: 'numbers:read',
    request: AccountsRequest,
    item: true,
  })
  async numbers(
    @CurrentCaller() caller: Caller,
    @CurrentItem() asked: Item,
    @PlaidBody() { options }: AccountsBody,
  ) {
    const item = await this.fetchedOnce(caller, asked, 'account_numbers');
    const accounts = await this.openAccounts(caller, item, options);
    const served = accounts.filter(({ accountType }) => servesNumbers(accountType));
    const stored = await this.accounts.numbersOf(item.link.linkId, served);
    if (stored.size === 0 && !served.some(({ accountType }) => expectsNumbers(accountType)))
      throw new PlaidError('NO_AUTH_ACCOUNTS');
    const numbers = presentNumbers(
      new Map(
        [...stored].map(([accountId, text]) => [accountId, JSON.parse(text) as StoredNumbers]),
      ),
    );
    const withNumbers = { ...item, hasNumbers: item.hasNumbers || stored.size > 0 };
    return {
      accounts: accounts.map(presentAccount),
      numbers,
      item: this.items.embedded(withNumbers),
    };
  }

  @PlaidRoute({
    path: '/identity/get',
    reads: { by: 'stored', rows: 'the accounts of a link, at most 1,000 at its source' },
    scope: 'identity:read',
    request: AccountsRequest,
    item: true,
  })
  async owners(
    @CurrentCaller() caller: Caller,
    @CurrentItem() asked: Item,
    @PlaidBody() { options }: AccountsBody,
  ) {
    const item = await this.fetchedOnce(caller, asked, 'identity');
    const accounts = await this.openAccounts(caller, item, options);
    const stored = await this.accounts.ownersOf(accounts);
    const ownersOf = ({ accountId }: AccountRecord) =>
      presentOwners(JSON.parse(`[${stored.get(accountId) ?? ''}]`) as StoredOwner[]);
    return {
      accounts: accounts.map((account) => ({
        ...presentAccount(account),
        owners: ownersOf(account),
      })),
      item: this.items.embedded(item),
    };
  }

  /** The Item with data of the product, after the first fetch. @throws PlaidError, ApiError */
  private async fetchedOnce(caller: Caller, item: Item, product: Product): Promise<Item> {
    const readiness = await this.gate.readiness(caller, item, product, 'stored');
    return readiness === 'ready' ? item : this.refresh.first(caller, item, product);
  }

  /** @throws PlaidError */
  private async openAccounts(
    caller: Caller,
    item: Item,
    { account_ids: ids }: AccountsBody['options'],
  ): Promise<readonly AccountRecord[]> {
    const accounts = await this.accounts.list(caller, item.link.linkId);
    if (accounts.length === 0) throw new PlaidError('NO_ACCOUNTS');
    return chosenAccounts(accounts, ids);
  }
}
