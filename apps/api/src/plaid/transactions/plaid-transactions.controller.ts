import { Controller } from '@nestjs/common';
import type { AccountRecord } from '../../../../../domain/accounts/present-account.js';
import { mapInTurns } from '../../http/in-turns.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { CursorKeys } from '../../../../../prisma/base/keys/cursor-key.repository.js';
import { ItemRepository } from '../../../../../prisma/views/plaid/item.repository.js';
import { ChangeLogRepository } from '../../../../../prisma/links/transactions/change-log.repository.js';
import { chosenAccounts } from '../accounts/chosen-accounts.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { ItemGate } from '../access/item-gate.js';
import { ItemPresenter } from '../items/item-presenter.js';
import { presentAccount } from '../shapes/plaid-account.js';
import { servesTransactions } from '../../../../../domain/plaid/account-type.js';
import { presentTransaction } from '../shapes/plaid-transaction.js';
import type { StoredTransaction } from '../shapes/stored-transaction.js';
import { TransactionStream, type Update } from './transaction-stream.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { ListRequest, SyncRequest, type ListBody, type SyncBody } from './transactions.requests.js';
import { updateStatusOf } from './update-status.js';

/** Clients compare this text and start again. Source: plaid-compat 5.4 rule 7. */
const FOREIGN_CURSOR = 'cursor not associated with access_token';
const MAX_CURSOR_LENGTH = 256;
const NOTHING_YET: Update = {
  added: [],
  modified: [],
  removed: [],
  accountIds: [],
  nextCursor: '',
  hasMore: false,
};

/** Both views of an Item's stored transactions. Source: plaid-compat 5, 6.3, 6.4. */
@Controller()
export class PlaidTransactionsController {
  private readonly stream: TransactionStream;

  constructor(
    private readonly gate: ItemGate,
    private readonly items: ItemRepository,
    private readonly log: ChangeLogRepository,
    cursorKeys: CursorKeys,
    private readonly accounts: AccountRepository,
    private readonly presenter: ItemPresenter,
  ) {
    this.stream = new TransactionStream(log, cursorKeys);
  }

  @PlaidRoute({
    path: '/transactions/sync',
    reads: { by: 'page', parameter: 'count', rows: 500 },
    scope: 'transactions:read',
    request: SyncRequest,
    item: true,
  })
  async sync(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() { cursor, count, options }: SyncBody,
  ) {
    await this.startSync(item, options.days_requested ?? null);
    const readiness = await this.gate.readiness(caller, item, 'transactions', 'stored');
    const accounts = await this.accounts.all(caller, item.link.linkId);
    const accountId = options.account_id ?? null;
    if (accountId !== null) chosenAccounts(accounts, [accountId]);
    const update =
      readiness === 'never_fetched'
        ? NOTHING_YET
        : await this.update(item, served(accounts), {
            cursor: cursor ?? null,
            count,
            accountId,
            options,
          });
    return {
      transactions_update_status: updateStatusOf(item),
      accounts: accounts
        .filter((account) => update.accountIds.includes(account.accountId))
        .map(presentAccount),
      added: update.added,
      modified: update.modified,
      removed: update.removed,
      next_cursor: update.nextCursor,
      has_more: update.hasMore,
    };
  }

  @PlaidRoute({
    path: '/transactions/get',
    reads: { by: 'page', parameter: 'count', rows: 500 },
    scope: 'transactions:read',
    request: ListRequest,
    item: true,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() { start_date: start, end_date: end, options }: ListBody,
  ) {
    await this.gate.admit(caller, item, 'transactions', 'stored');
    const accounts = chosenAccounts(
      await this.accounts.all(caller, item.link.linkId),
      options.account_ids,
    );
    const { total, transactions } = await this.log.current({
      linkPk: item.link.pk,
      accountIds: served(accounts),
      start,
      end,
      offset: options.offset,
      size: options.count,
    });
    const records = await mapInTurns(transactions, ({ body, ...stage }) =>
      presentTransaction(JSON.parse(body) as StoredTransaction, stage, recordOptions(options)),
    );
    return {
      accounts: accounts
        .filter(({ accountId }) => records.some((record) => record.account_id === accountId))
        .map(presentAccount),
      transactions: records,
      total_transactions: total,
      item: this.presenter.embedded(item),
    };
  }

  /** From the first call on, the client is notified of changes; it may request a history if no other setting did. Source: plaid-compat 6.3. */
  private async startSync(
    { link, syncStartedAt, historyDays }: Item,
    days: number | null,
  ): Promise<void> {
    const product = link.products.find((granted) => granted.product === 'transactions');
    const wanted = product?.lastAttemptedAt === null && historyDays === null ? days : null;
    if (syncStartedAt === null || wanted !== null) await this.items.startSync(link.pk, wanted);
  }

  /** @throws PlaidError */
  private async update(
    { link }: Item,
    servedAccountIds: readonly string[],
    {
      cursor,
      count,
      accountId,
      options,
    }: {
      cursor: string | null;
      count: number;
      accountId: string | null;
      options: SyncBody['options'];
    },
  ): Promise<Update> {
    if (cursor !== null && cursor.length > MAX_CURSOR_LENGTH) throw invalidField(FOREIGN_CURSOR);
    const result = await this.stream.next(
      { linkPk: link.pk, linkId: link.linkId, accountId, servedAccountIds },
      { cursor, count, options: recordOptions(options) },
    );
    switch (result.kind) {
      case 'update':
        return result.update;
      case 'mutated':
        throw new PlaidError('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION');
      case 'foreign':
        throw invalidField(FOREIGN_CURSOR);
      case 'gone':
        throw new PlaidError('ITEM_CONCURRENTLY_DELETED');
    }
  }
}

function served(accounts: readonly AccountRecord[]): string[] {
  return accounts
    .filter(({ accountType }) => servesTransactions(accountType))
    .map(({ accountId }) => accountId);
}

function recordOptions({
  include_original_description: includeOriginalDescription,
  personal_finance_category_version: categoryVersion,
}: SyncBody['options'] | ListBody['options']) {
  return { includeOriginalDescription, categoryVersion };
}
