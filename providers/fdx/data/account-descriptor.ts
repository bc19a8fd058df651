import { malformed, RemoteObject } from '../../http/remote-object.js';
import type { ReadResource } from './resource-reader.js';
import { noAccounts } from '../failure-table.js';
import type { FdxInstitution } from '../settings.js';
import { listAll } from './list-pages.js';

/** Per permission. */
const MAX_ACCOUNTS = 1_000;

/** An entry of `/accounts`. */
export interface AccountDescriptor {
  id: string;
  category: string;
  type: string | null;
  name: string;
  mask: string | null;
  currency: string;
  /** The bank names an error instead of the account's data. */
  hasError: boolean;
}

/** The accounts that the user shares, without those that are closed. @throws `no_accounts` */
export async function readDescriptors(
  read: ReadResource,
  institution: Pick<FdxInstitution, 'country'>,
): Promise<AccountDescriptor[]> {
  const listed = await listAll(read, ['accounts'], 'accounts');
  if (listed.length > MAX_ACCOUNTS) throw malformed('there are too many accounts');
  const accounts = listed.map((item) => new RemoteObject(item, 'account'));
  const ids = accounts.map((account) => account.text('accountId', { max: 256 }));
  if (new Set(ids).size !== ids.length) throw malformed('an account id occurs twice');
  const open = accounts.filter(
    (account) => account.optional('status', (it) => it.text('status', { max: 100 })) !== 'CLOSED',
  );
  if (open.length === 0) throw noAccounts();
  return open.map((account) => toDescriptor(account, institution));
}

export function toDescriptor(
  account: RemoteObject,
  { country }: Pick<FdxInstitution, 'country'>,
): AccountDescriptor {
  const text = (field: string) =>
    account.optional(field, (it) => it.anyText(field)?.trim().slice(0, 200) ?? null);
  const id = account.text('accountId', { max: 256 });
  const display = text('accountNumberDisplay');
  return {
    id,
    category: account.text('accountCategory', { max: 100 }),
    type: account.optional('accountType', (it) => it.text('accountType', { max: 100 })),
    name: text('nickname') ?? text('productName') ?? display ?? id.slice(0, 200),
    mask: /(\w{1,4})$/.exec(display ?? '')?.[1] ?? null,
    currency: currencyOf(account) ?? (country === 'CA' ? 'CAD' : 'USD'),
    hasError: account.optional('error', (it) => it.object('error')) !== null,
  };
}

/** Null where the bank does not show it: FDX banks then mean their own. */
function currencyOf(account: RemoteObject): string | null {
  const currency = account.optional('currency', (it) => it.object('currency'));
  return (
    currency?.optional('currencyCode', (it) =>
      it.text('currencyCode', { max: 3, pattern: /^[A-Z]{3}$/ }),
    ) ?? null
  );
}
