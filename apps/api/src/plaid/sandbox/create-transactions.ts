import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { addDays, utcDay } from '../../../../../domain/api/timestamps.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from '../access/item-access.js';
import { AccountRepository } from '../../../../../prisma/links/accounts/account.repository.js';
import { RunSandboxScript } from '../../sandbox/run-sandbox-script.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { refuseByState } from '../access/item-gate.js';
import type { CreateTransactionsBody } from './sandbox.requests.js';

/** plaid-compat 7: dates today or up to 14 days back. */
const DAYS_BACK = 14;

/** Posts transactions at the sandbox bank with a script. Source: plaid-compat 7. */
@Injectable()
export class CreateTransactions {
  constructor(
    private readonly scripts: RunSandboxScript,
    private readonly accounts: AccountRepository,
  ) {}

  /** @throws PlaidError, ApiError */
  async create(
    caller: Caller,
    item: Item,
    { transactions }: CreateTransactionsBody,
  ): Promise<void> {
    const { link } = item;
    const today = utcDay(link.now);
    const earliest = addDays(today, -DAYS_BACK);
    for (const [
      index,
      { date_posted: posted, date_transacted: transacted },
    ] of transactions.entries()) {
      if ([posted, transacted].some((day) => day < earliest || day > today))
        throw invalidField(
          `transactions.${index}: dates must be today or up to ${DAYS_BACK} days back`,
        );
    }
    refuseByState(item, 'live');
    if (!link.products.some(({ product }) => product === 'transactions'))
      throw new PlaidError('PRODUCTS_NOT_SUPPORTED');
    const account = (await this.accounts.list(caller, link.linkId)).find(({ accountType }) =>
      accountType.startsWith('depository.'),
    );
    if (account === undefined) throw new PlaidError('NO_ACCOUNTS');
    // References are unique to the call, or they would name the rows of an earlier call.
    const call = randomUUID();
    const script = transactions.map(
      ({ date_posted: date, amount, description, iso_currency_code: currency }, index) => ({
        verb: date < today ? ('backdate' as const) : ('post' as const),
        ref: `created-${call}-${index + 1}`,
        account_id: account.accountId,
        date,
        currency,
        description,
        amount: Math.abs(amount),
        type: amount > 0 ? ('debit' as const) : ('credit' as const),
      }),
    );
    await this.scripts
      .run(caller, link.linkId, { script, refresh: true })
      .catch((error: unknown) => {
        const isRefused = error instanceof ApiError && error.code === 'sandbox_error.script_failed';
        throw isRefused ? invalidField(`transactions: ${error.message}`) : error;
      });
  }
}
