import { Controller } from '@nestjs/common';
import { servesTransactions } from '../../../../../domain/plaid/account-type.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { mapInTurns } from '../../http/in-turns.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import { RecurringStreams } from '../../recurring/recurring-streams.js';
import type { Item } from '../access/item-access.js';
import { ItemGate } from '../access/item-gate.js';
import { chosenAccounts } from '../accounts/chosen-accounts.js';
import { presentStream } from '../shapes/plaid-stream.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { RecurringRequest, type RecurringBody } from './transactions.requests.js';

/** Source: plaid-compat 6.7. */
@Controller()
export class PlaidRecurringController {
  constructor(
    private readonly gate: ItemGate,
    private readonly accounts: AccountRepository,
    private readonly recurring: RecurringStreams,
  ) {}

  @PlaidRoute({
    path: '/transactions/recurring/get',
    reads: {
      by: 'stored',
      rows: '500 streams, found in the newest 20,000 transactions of two years',
      inTurn: true,
    },
    scope: 'transactions:read',
    request: RecurringRequest,
    item: true,
  })
  async list(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() { account_ids: ids, options }: RecurringBody,
  ) {
    await this.gate.admit(caller, item, 'transactions', 'stored');
    const accounts = chosenAccounts(await this.accounts.all(caller, item.link.linkId), ids);
    const served = new Set(
      accounts
        .filter(({ accountType }) => servesTransactions(accountType))
        .map(({ accountId }) => accountId),
    );
    const { streams, searchedAt } = await this.recurring.of(item.link);
    const presented = await mapInTurns(
      streams.filter(({ accountId }) => served.has(accountId)),
      (stream) => ({
        direction: stream.direction,
        shown: presentStream(stream, options.personal_finance_category_version),
      }),
    );
    const ofDirection = (direction: 'in' | 'out') =>
      presented.filter((stream) => stream.direction === direction).map(({ shown }) => shown);
    return {
      inflow_streams: ofDirection('in'),
      outflow_streams: ofDirection('out'),
      updated_datetime: searchedAt.toISOString(),
    };
  }
}
