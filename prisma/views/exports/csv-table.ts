import type { AccountRecord } from '../../../domain/accounts/present-account.js';
import type { CsvCell } from '../../../domain/exports/csv.js';
import type { ExportedDetails } from '../../../domain/exports/exported-details.js';
import type { Context } from '../../base/context.js';
import type { ExportedLink } from './exported-rows.js';

/** A link whose rows a table shows. */
export interface CsvSource {
  ctx: Context;
  details: ExportedDetails;
  link: ExportedLink;
  /** As it is shown. */
  provider: string;
  /** By their ids. */
  accounts: ReadonlyMap<string, AccountRecord>;
}

/** A table of an export. Source: native-api 3.7. New columns are added at the end. */
export interface CsvTable {
  /** The names of the columns. */
  columns: readonly string[];
  /** The cells of each row, one for each column. */
  rows: (source: CsvSource) => AsyncGenerator<CsvCell[]>;
}

export const text = (value: string | null | undefined): CsvCell => ({ text: value ?? null });
export const number = (value: string | null): CsvCell => ({ number: value });
export const flag = (value: boolean | undefined): CsvCell => ({
  number: value?.toString() ?? null,
});

/** The first columns of every table: the link and the account of a row. */
const ACCOUNT: Readonly<
  Record<
    string,
    (source: CsvSource, accountId: string, account: AccountRecord | undefined) => CsvCell
  >
> = {
  link_id: ({ link }) => text(link.view.linkId),
  institution_id: ({ link }) => text(link.view.institutionId),
  institution_name: ({ link }) => text(link.view.institutionName),
  provider: ({ provider }) => text(provider),
  account_id: (_, accountId) => text(accountId),
  account_name: (_, __, account) => text(account?.name),
  account_nickname: (_, __, account) => text(account?.nickname),
  account_type: (_, __, account) => text(account?.accountType),
  account_mask: (_, __, account) => text(account?.mask),
  account_closed: (_, __, account) => flag(account?.closed),
};

export const ACCOUNT_COLUMNS: readonly string[] = Object.keys(ACCOUNT);

export function accountCells(source: CsvSource, accountId: string): CsvCell[] {
  const account = source.accounts.get(accountId);
  return Object.values(ACCOUNT).map((cellOf) => cellOf(source, accountId, account));
}
