import type { Tenant } from '../../../domain/api/environment.js';
import { csvRow } from '../../../domain/exports/csv.js';
import type { ExportTable } from '../../../domain/exports/export-format.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import { shownProvider, type ProviderNames } from '../../../domain/link/provider-name.js';
import type { Context } from '../../base/context.js';
import { AccountRepository } from '../../links/accounts/account.repository.js';
import { HOLDINGS, INVESTMENT_TRANSACTIONS, LIABILITIES } from './csv-products.js';
import type { CsvTable } from './csv-table.js';
import { TRANSACTIONS } from './csv-transactions.js';
import { ExportedRows, type ExportedLink } from './exported-rows.js';

export const CSV_TABLES: Readonly<Record<ExportTable, CsvTable>> = {
  transactions: TRANSACTIONS,
  holdings: HOLDINGS,
  investment_transactions: INVESTMENT_TRANSACTIONS,
  liabilities: LIABILITIES,
};

/** The current entries of one kind, as one table. */
export class CsvExport {
  private readonly rows: ExportedRows;
  private readonly accounts: AccountRepository;
  private readonly table: CsvTable;

  constructor(
    private readonly ctx: Context,
    private readonly settings: ProviderNames,
    private readonly details: ExportedDetails,
    data: ExportTable,
  ) {
    this.rows = new ExportedRows(ctx, details);
    this.accounts = new AccountRepository(ctx);
    this.table = CSV_TABLES[data];
  }

  async *user(tenant: Tenant, userId: string): AsyncGenerator<string> {
    yield this.header();
    const user = await this.rows.user(tenant, userId);
    if (user === null) return;
    for await (const link of this.rows.links(user.pk))
      yield* this.rows.whileStored(tenant, link, this.lines(tenant, link));
    await this.rows.requireUser(tenant, user);
  }

  async *link(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    yield this.header();
    yield* this.rows.whileStored(tenant, link, this.lines(tenant, link));
  }

  private header(): string {
    return csvRow(this.table.columns.map((name) => ({ text: name })));
  }

  private async *lines(tenant: Tenant, link: ExportedLink): AsyncGenerator<string> {
    const { ctx, details } = this;
    const stored = await this.accounts.all(tenant, link.view.linkId);
    const accounts = new Map(stored.map((account) => [account.accountId, account]));
    const provider = shownProvider(link.view.provider, this.settings);
    for await (const cells of this.table.rows({ ctx, details, link, provider, accounts }))
      yield csvRow(cells);
  }
}
