import { readEach, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { SessionAccount } from '../client/sealed.js';

const MAX_ACCOUNTS = 200;
/** Of accounts that hold several. */
const NO_CURRENCY = 'XXX';
const ID = /^[\w-]+$/;
const HASH = /^[!-~]+$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const NUMBER = /^[\w -]{1,40}$/;
const BIC = /^[A-Z0-9]{8}([A-Z0-9]{3})?$/;

/**
 * The accounts of a new session. Those without a `uid` cannot be read and are omitted. An account
 * is recognized by its `identification_hash`, the same in every session; accounts that share a
 * number, in several currencies, also by their currency.
 * @param bic of the bank, for accounts without one of their own
 */
export function toSessionAccounts(
  session: RemoteObject,
  bic: string | null,
  note: ReadScope['note'],
): SessionAccount[] {
  const scope = { account: null, note };
  const listed = readEach(
    session.list('accounts', MAX_ACCOUNTS),
    { ...scope, scope: 'account' },
    (remote) => {
      const account = new RemoteObject(remote, 'account', scope);
      const uid = account.optional('uid', (it) => it.text('uid', { max: 200, pattern: ID }));
      return uid === null ? null : { uid, ...identityOf(account, bic) };
    },
  );
  const accounts = listed.filter((account) => account !== null);
  const hashes = accounts.map(({ hash }) => hash);
  const known = accounts.map(({ hash, ...account }) => ({
    ...account,
    currency: account.currency === NO_CURRENCY ? null : account.currency,
    id:
      hashes.filter((other) => other === hash).length === 1 ? hash : `${hash}/${account.currency}`,
  }));
  // Accounts that share a number and a currency cannot be distinguished.
  return [
    ...new Map(known.toReversed().map((account) => [account.id, account])).values(),
  ].reverse();
}

function identityOf(account: RemoteObject, bankBic: string | null) {
  const number = account.maybe('account_id', (it) => it.object('account_id'));
  const servicer = account.maybe('account_servicer', (it) => it.object('account_servicer'));
  const bic = servicer?.maybe('bic_fi', (it) => it.text('bic_fi', { max: 40 })) ?? null;
  return {
    hash: account.text('identification_hash', { max: 500, pattern: HASH }),
    currency: account.maybe('currency', (it) => it.currency('currency')),
    iban: number === null ? null : ibanOf(number),
    bban: number === null ? null : bbanOf(number),
    bic: bic !== null && BIC.test(bic) ? bic : bankBic,
  };
}

function ibanOf(number: RemoteObject): string | null {
  const text = number.maybe('iban', (it) => it.text('iban', { max: 60 }));
  const iban = text?.replace(/\s/g, '').toUpperCase() ?? '';
  return IBAN.test(iban) ? iban : null;
}

function bbanOf(number: RemoteObject): string | null {
  const other = number.maybe('other', (it) => it.object('other'));
  const word = (field: string) => other?.maybe(field, (it) => it.text(field, { max: 100 })) ?? null;
  const [scheme, text] = [word('scheme_name'), word('identification')];
  return scheme === 'BBAN' && text !== null && NUMBER.test(text) ? text : null;
}
