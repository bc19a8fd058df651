import { encodeCredential } from '../../../../providers/simplefin/client/access-url.js';
import {
  amountOf,
  windowUpTo,
  type WireAccount,
  type WireSubject,
} from '../../../conformance/wire/wire-subject.js';
import { accessWith } from '../../fixtures/provider-calls.js';
import { simplefinAt } from '../../fixtures/simplefin-server.js';

const DAY_SECONDS = 86_400;
/** The days of one request. */
const SLICE_DAYS = 44;

const noonOf = (day: string | null): number | null =>
  day === null ? null : Date.parse(`${day}T12:00:00Z`) / 1_000;

const accountOf = ({ id, name, cents }: WireAccount) => ({
  id,
  name,
  currency: 'USD',
  balance: amountOf(cents),
  'balance-date': 1_790_000_000,
});

const WIRE: WireSubject = {
  lacks: {
    days: 'The protocol has times.',
    keys: 'The protocol has no pages: the parts of a window are its pages.',
    listings: 'A response lists the rows of all accounts.',
    words: 'The protocol has no words: `posted` and `pending` say it.',
  },
  sharesPages: true,
  open(origin, _accounts, http) {
    const provider = simplefinAt(origin, { http });
    const credential = encodeCredential(`${origin.replace('://', '://user:password@')}/simplefin`);
    const access = accessWith({ credential, reference: 'permission' }, 'us');
    return Promise.resolve({ provider, access });
  },
  requestOf({ pathname, searchParams }) {
    if (!pathname.endsWith('/accounts')) return null;
    if (searchParams.has('balances-only')) return { about: 'accounts' };
    const start = Number(searchParams.get('start-date'));
    const first = Date.parse(`${windowUpTo().from}T00:00:00Z`) / 1_000;
    return {
      about: 'rows',
      account: null,
      page: Math.round((start - first) / (SLICE_DAYS * DAY_SECONDS)),
    };
  },
  accountList: (accounts) => ({ errlist: [], accounts: accounts.map(accountOf) }),
  row: ({ id, text, cents, posted, happened, status }) => ({
    id,
    amount: amountOf(cents),
    description: text,
    posted: status === 'pending' ? 0 : noonOf(posted),
    transacted_at: noonOf(happened),
  }),
  page: (rows) => ({
    errlist: [],
    accounts: [...rows].map(([account, its]) => ({ ...accountOf(account), transactions: its })),
  }),
};
export default WIRE;
