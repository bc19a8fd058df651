import { Decimal } from 'decimal.js';
import type { AccountNumbers } from '../../domain/account-numbers.js';
import type { Owner } from '../../domain/account-owner.js';
import type { FetchedAccount, FetchedTransaction } from '../../domain/fetched-data.js';
import type { Product } from '../../domain/products.js';
import type { ProviderCause } from '../../domain/provider-failure.js';
import { RefreshRepository } from '../../prisma/repositories/refresh.repository.js';
import { finishedSession, grantProducts, type ApiInProcess, type AppId } from './api-in-process.js';
import { eventually } from './eventually.js';
import { plaidOf } from './plaid-client.js';

/** Wide enough for every row of these tests. */
const WINDOW = { from: '2026-01-01', to: '2026-12-31' };

/** An Item of the Plaid layer, and a bank that brings what a test gives it: stored as the worker stores it. */
export class StoredItem {
  readonly refresh: RefreshRepository;

  /** Of a link there is; without an access token as long as it is not exchanged. */
  constructor(
    private readonly service: ApiInProcess,
    readonly linkId: string,
    readonly accessToken = '',
  ) {
    this.refresh = new RefreshRepository(service.ctx);
  }

  /** Linked by a native session and exchanged here. `products`: granted besides accounts and transactions. */
  static async linked(
    service: ApiInProcess,
    { app = 'pocket-ledger', products = [] }: { app?: AppId; products?: readonly Product[] } = {},
  ): Promise<StoredItem> {
    const { exchangeableToken } = await finishedSession(service, await service.token(app), {
      products: ['transactions'],
    });
    const { data } = await plaidOf(service, app).itemPublicTokenExchange({
      public_token: exchangeableToken,
    });
    await grantProducts(service, data.item_id, products);
    return new StoredItem(service, data.item_id, data.access_token);
  }

  /** `checking` and `savings`, as the bank shows them now: what appears later is offered at the next relink. */
  fetchAccounts(
    ...accounts: (Partial<FetchedAccount> & { providerAccountId: string })[]
  ): Promise<void> {
    return this.storeAccounts(accounts);
  }

  /** `checking` and `savings`, and when their permission ends by itself. */
  fetchPermissionEnd(endsAt: Date | null): Promise<void> {
    return this.storeAccounts(
      [
        { providerAccountId: 'checking' },
        { providerAccountId: 'savings', accountType: 'depository.savings' },
      ],
      endsAt,
    );
  }

  private async storeAccounts(
    accounts: readonly (Partial<FetchedAccount> & { providerAccountId: string })[],
    permissionEndsAt?: Date | null,
  ): Promise<void> {
    await this.refresh.storeAccounts(
      this.linkId,
      await this.begin('accounts'),
      accounts.map((fields) => ({
        accountType: 'depository.checking',
        name: fields.providerAccountId,
        mask: '1101',
        currency: 'USD',
        available: new Decimal('2210.52'),
        current: new Decimal('2350.00'),
        limit: null,
        balanceDate: new Date('2026-03-02T10:15:31Z'),
        ...fields,
      })),
      permissionEndsAt,
    );
  }

  /** Everything the bank shows of the year; what is missing is gone. */
  async fetchTransactions(
    ...rows: (Partial<FetchedTransaction> & { providerTransactionId: string })[]
  ): Promise<void> {
    const transactions = rows.map((fields) => ({
      providerAccountId: 'checking',
      amount: new Decimal('4.50'),
      type: 'debit' as const,
      currency: 'USD',
      date: '2026-03-01',
      datetime: null,
      description: 'Corner Cafe',
      rawDescription: 'POS 0301 CORNER CAFE',
      pending: false,
      category: 'food_and_drink.coffee_shops',
      ...fields,
    }));
    await this.refresh.storeTransactions(this.linkId, await this.begin('transactions'), {
      transactions,
      last: true,
      window: WINDOW,
      seenIds: [],
    });
  }

  async fetchNumbers(numbers: Readonly<Record<string, AccountNumbers>>): Promise<void> {
    const fetched = Object.entries(numbers).map(([providerAccountId, its]) => ({
      providerAccountId,
      numbers: its,
    }));
    await this.refresh.storeAccountNumbers(
      this.linkId,
      await this.begin('account_numbers'),
      fetched,
    );
  }

  async fetchOwners(owners: Readonly<Record<string, Owner[]>>): Promise<void> {
    const fetched = Object.entries(owners).map(([providerAccountId, its]) => ({
      providerAccountId,
      owners: its,
    }));
    await this.refresh.storeIdentity(this.linkId, await this.begin('identity'), fetched);
  }

  /** Waits until a call asks for the product; then the bank refuses it. */
  async refuseWhenAsked(product: Product, cause: ProviderCause): Promise<void> {
    await this.whenAsked(product);
    await this.refresh.failProduct(this.linkId, await this.begin(product), product, cause);
  }

  async whenAsked(product: Product): Promise<void> {
    const { prisma } = this.service.database;
    await eventually(async () => {
      if (
        (await prisma.refreshRequest.count({
          where: { link: { linkId: this.linkId }, product },
        })) === 0
      )
        throw new Error(`nobody asked for ${product}`);
    });
  }

  /** Ids by the bank's names. */
  async accountIds(): Promise<Record<string, string>> {
    const accounts = await this.service.database.prisma.account.findMany({
      where: { link: { linkId: this.linkId } },
    });
    return Object.fromEntries(
      accounts.map(({ providerAccountId, accountId }) => [providerAccountId, accountId]),
    );
  }

  async failFetch(product: Product, cause: ProviderCause): Promise<void> {
    await this.refresh.failProduct(this.linkId, await this.begin(product), product, cause);
  }

  /** Begins a fetch; answers its name. */
  async begin(product: Product): Promise<string> {
    const { pk } = await this.service.database.prisma.link.findUniqueOrThrow({
      where: { linkId: this.linkId },
    });
    await this.service.ctx.database.transaction((tx) =>
      this.refresh.requestProducts(tx, pk, [product], 'on_demand'),
    );
    const run = await this.refresh.beginRun(this.linkId);
    const name =
      run === null ? null : await this.refresh.beginProduct(this.linkId, run.run, product);
    if (name === null) throw new Error(`the fetch of ${product} could not begin`);
    return name;
  }
}
