import { malformed, RemoteObject } from '../../http/remote-object.js';
import type { SessionAccount } from '../client/sealed.js';

const MAX_ACCOUNTS = 200;
const ID = /^[\w-]+$/;
const HASH = /^[!-~]+$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const NUMBER = /^[\w -]{1,40}$/;
const BIC = /^[A-Z0-9]{8}([A-Z0-9]{3})?$/;

/**
 * The accounts of a new session. Those without a `uid` cannot be read and are left out. An account
 * is recognised by its `identification_hash`, the same in every session; the accounts that share a
 * number, in several currencies, by the currency as well.
 * @param bic of the bank, for accounts that come without one
 */
export function toSessionAccounts(session: RemoteObject, bic: string | null): SessionAccount[] {
  const accounts = session.list('accounts', MAX_ACCOUNTS).flatMap((remote) => {
    const account = new RemoteObject(remote, 'account');
    const uid = account.optional('uid', (it) => it.text('uid', { max: 200, pattern: ID }));
    return uid === null ? [] : [{ uid, ...identityOf(account, bic) }];
  });
  const hashes = accounts.map(({ hash }) => hash);
  const known = accounts.map(({ hash, currency, ...account }) => ({
    ...account,
    id: hashes.filter((other) => other === hash).length === 1 ? hash : `${hash}/${currency}`,
  }));
  if (new Set(known.map(({ id }) => id)).size !== known.length)
    throw malformed('an account occurs twice');
  return known;
}

function identityOf(account: RemoteObject, bankBic: string | null) {
  const number = account.optional('account_id', (it) => it.object('account_id'));
  const servicer = account.optional('account_servicer', (it) => it.object('account_servicer'));
  const bic = servicer?.optional('bic_fi', (it) => it.text('bic_fi', { max: 40 })) ?? null;
  return {
    hash: account.text('identification_hash', { max: 500, pattern: HASH }),
    currency: account.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ }),
    iban: number === null ? null : ibanOf(number),
    bban: number === null ? null : bbanOf(number),
    bic: bic !== null && BIC.test(bic) ? bic : bankBic,
  };
}

function ibanOf(number: RemoteObject): string | null {
  const text = number.optional('iban', (it) => it.text('iban', { max: 60 }));
  const iban = text?.replace(/\s/g, '').toUpperCase() ?? '';
  return IBAN.test(iban) ? iban : null;
}

function bbanOf(number: RemoteObject): string | null {
  const other = number.optional('other', (it) => it.object('other')) ?? null;
  if (other === null || other.text('scheme_name', { max: 40 }) !== 'BBAN') return null;
  const text = other.text('identification', { max: 100 });
  return NUMBER.test(text) ? text : null;
}
