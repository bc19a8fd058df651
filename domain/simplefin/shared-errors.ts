import { FETCH_FAULTS, type LinkError } from '../link/link-state.js';
import type { LinkFacts, ProductFacts } from '../link/present-link.js';

/** An entry of `errlist`; version 1 has its text alone. */
export interface SharedError {
  code: 'gen.' | 'con.' | 'con.auth' | 'act.missingdata';
  msg: string;
  conn_id?: string;
  account_id?: string;
}

type FailingLink = Pick<LinkFacts, 'linkId' | 'state' | 'errorCode'> & {
  products: readonly ProductFacts[];
};

/**
 * The data of a link that is missing or old, in words for its user. Only a link that needs its user
 * has the sentence for which Actual refuses the rows of every account whose `org` has this name.
 * @param bank the name of its connection
 */
export function errorsOfLink(link: FailingLink, bank: string): SharedError[] {
  const { linkId } = link;
  const ofBank = (code: SharedError['code'], msg: string): SharedError => ({
    code,
    msg,
    conn_id: linkId,
  });
  if (link.state === 'error')
    return [
      isTemporary(link.errorCode)
        ? ofBank('con.', `${bank} could not be read. Its data may be out of date.`)
        : ofBank(
            link.errorCode === 'auth_expired' ? 'con.auth' : 'con.',
            `Connection to ${bank} may need attention`,
          ),
    ];
  const [accounts, transactions] = ['accounts', 'transactions'].map((name) =>
    link.products.find(({ product }) => product === name),
  );
  if (accounts?.refreshedAt === null)
    return [ofBank('con.', `The accounts at ${bank} were not read yet.`)];
  if (transactions?.refreshedAt === null)
    return [ofBank('con.', `The transactions at ${bank} were not read yet.`)];
  const failed = [accounts, transactions].find((product) => (product?.errorCode ?? null) !== null);
  if (failed !== undefined)
    return [ofBank('con.', `${bank} did not respond completely. Its data may be out of date.`)];
  return (transactions?.incomplete ?? []).flatMap(({ account_id: id, account_name: name }) => {
    const msg = `The transactions of ${name ?? 'an account'} at ${bank} are incomplete.`;
    return id === null
      ? [ofBank('con.', msg)]
      : [{ code: 'act.missingdata' as const, msg, account_id: id }];
  });
}

/** Ends with the next refresh that succeeds. */
const isTemporary = (error: LinkError | null): boolean =>
  error !== null && FETCH_FAULTS.includes(error);

/** An account whose balance the bank does not report cannot be shown. */
export const withoutBalance = (
  account: { accountId: string; name: string },
  bank: string,
): SharedError => ({
  code: 'act.missingdata',
  msg: `${bank} reports no balance of ${account.name}.`,
  account_id: account.accountId,
});

/** Rows that a client must not count in the currency of their account. @param currencies theirs */
export const withoutConversion = (
  account: { accountId: string; name: string; currency: string },
  bank: string,
  currencies: ReadonlySet<string>,
): SharedError => ({
  code: 'act.missingdata',
  msg: `${bank} reports transactions of ${account.name} in ${[...currencies].sort().join(', ')} without their value in ${account.currency}. They count as zero, and their descriptions have their amounts.`,
  account_id: account.accountId,
});

export const unknownAccount: SharedError = {
  code: 'gen.',
  msg: 'An account that was asked for is not shared here.',
};
