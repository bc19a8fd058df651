import type { Tenant } from '../../../domain/api/environment.js';
import type { AccountRecord } from '../../../domain/accounts/present-account.js';
import { csvRow, type CsvCell } from '../../../domain/exports/csv.js';
import { amountInCurrency } from '../../../domain/transactions/amount-in-currency.js';
import { shownProvider, type ProviderNames } from '../../../domain/link/provider-name.js';
import { AccountRepository } from '../../links/accounts/account.repository.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import type { Context } from '../../base/context.js';
import type { LinkView } from '../../links/link/link-view.js';
import { ExportedRows, type ExportedLink, type ExportedTransaction } from './exported-rows.js';

interface Row extends ExportedTransaction {
  link: LinkView;
  provider: string;
  account: AccountRecord | undefined;
}

const text = (value: string | null | undefined): CsvCell => ({ text: value ?? null });
const number = (value: string | null): CsvCell => ({ number: value });
const signed = (amount: string | null, { type }: Row['transaction']): CsvCell =>
  number(amount !== null && type === 'debit' && Number(amount) !== 0 ? `-${amount}` : amount);
const flag = (value: boolean | undefined): CsvCell => ({ number: value?.toString() ?? null });

/** Source: native-api 3.7. New columns are added at the end. */
const COLUMNS: Readonly<Record<string, (row: Row) => CsvCell>> = {
  link_id: ({ link }) => text(link.linkId),
  institution_id: ({ link }) => text(link.institutionId),
  institution_name: ({ link }) => text(link.institutionName),
  provider: ({ provider }) => text(provider),
  account_id: ({ transaction }) => text(transaction.account_id),
  account_name: ({ account }) => text(account?.name),
  account_nickname: ({ account }) => text(account?.nickname),
  account_type: ({ account }) => text(account?.accountType),
  account_mask: ({ account }) => text(account?.mask),
  account_closed: ({ account }) => flag(account?.closed),
  transaction_id: ({ transaction }) => text(transaction.transaction_id),
  date: ({ transaction }) => text(transaction.date),
  datetime: ({ transaction }) => text(transaction.datetime),
  transacted_at: ({ transaction }) => text(transaction.transacted_at),
  amount: ({ amount }) => number(amount),
  type: ({ transaction }) => text(transaction.type),
  signed_amount: ({ amount, transaction }) => signed(amount, transaction),
  currency: ({ transaction }) => text(transaction.currency),
  description: ({ transaction }) => text(transaction.description),
  raw_description: ({ transaction }) => text(transaction.raw_description),
  pending: ({ transaction }) => flag(transaction.pending),
  category: ({ transaction }) => text(transaction.category),
  category_source: ({ transaction }) => text(transaction.category_source),
  counterparty_name: ({ transaction }) => text(transaction.counterparty?.['name']),
  counterparty_account_mask: ({ transaction }) => text(transaction.counterparty?.['account_mask']),
  counterparty_kind: ({ transaction }) => text(transaction.counterparty?.['kind']),
  counterparty_iban: ({ numbers }) => text(numbers?.['iban']),
  counterparty_bic: ({ numbers }) => text(numbers?.['bic']),
  counterparty_account_number: ({ numbers }) => text(numbers?.['account_number']),
  counterparty_bank_code: ({ numbers }) => text(numbers?.['bank_code']),
  merchant_name: ({ transaction }) => text(transaction.merchant?.['name']),
  merchant_mcc: ({ transaction }) => text(transaction.merchant?.['mcc']),
  remittance: ({ transaction }) => text(transaction.remittance),
  reference_end_to_end: ({ transaction }) => text(transaction.references?.['end_to_end']),
  reference_mandate: ({ transaction }) => text(transaction.references?.['mandate']),
  reference_creditor: ({ transaction }) => text(transaction.references?.['creditor']),
  reference_check_number: ({ transaction }) => text(transaction.references?.['check_number']),
  original_amount: ({ original_amount }) => number(original_amount),
  original_currency: ({ transaction }) => text(transaction.original?.currency),
  original_rate: ({ original_rate }) => number(original_rate),
  original_id: ({ transaction }) => text(transaction.original_id),
  account_currency: ({ account }) => text(account?.currency),
  account_amount: (row) => signed(amountOfAccount(row), row.transaction),
};

/** The amount in the currency of the account, for a sum over its rows; null = not known. */
function amountOfAccount({ account, amount, original_amount, transaction }: Row): string | null {
  const { currency, original } = transaction;
  if (account === undefined) return null;
  return amountInCurrency(
    {
      amount,
      currency,
      original:
        original_amount === null || original === null
          ? null
          : { amount: original_amount, currency: original.currency },
    },
    account.currency,
  );
}

export const CSV_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** The current transactions as one table. */
export class CsvExport {
  private readonly rows: ExportedRows;
  private readonly accounts: AccountRepository;

  constructor(
    ctx: Context,
    private readonly settings: ProviderNames,
    details: ExportedDetails,
  ) {
    this.rows = new ExportedRows(ctx, details);
    this.accounts = new AccountRepository(ctx);
  }

  async *user(tenant: Tenant, userId: string): AsyncGenerator<string> {
    yield HEADER;
    const user = await this.rows.user(tenant, userId);
    if (user === null) return;
    for await (const link of this.rows.links(user.pk))
      yield* this.rows.whileStored(tenant, link, this.transactions(tenant, link));
    await this.rows.requireUser(tenant, user);
  }

  async *link(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    yield HEADER;
    yield* this.rows.whileStored(tenant, link, this.transactions(tenant, link));
  }

  private async *transactions(
    tenant: Tenant,
    { view: link }: ExportedLink,
  ): AsyncGenerator<string> {
    const accounts = await this.accounts.all(tenant, link.linkId);
    const byId = new Map(accounts.map((account) => [account.accountId, account]));
    const provider = shownProvider(link.provider, this.settings);
    const columns = Object.values(COLUMNS);
    for await (const row of this.rows.currentTransactions(link)) {
      const account = byId.get(row.transaction.account_id);
      yield csvRow(columns.map((cellOf) => cellOf({ ...row, link, provider, account })));
    }
  }
}

const HEADER = csvRow(CSV_COLUMNS.map((name) => ({ text: name })));
