import { encodeCredential } from '../../../../providers/sandbox/client/credential.js';
import { createSandboxProvider } from '../../../../providers/sandbox/sandbox-provider.js';
import { amountOf, type WireSubject } from '../../../conformance/wire/wire-subject.js';
import { accessWith } from '../../fixtures/provider-calls.js';

const PATH = /\/v1\/connections\/con_1\/(accounts|transactions)$/;
const WORDS: Readonly<Record<string, string>> = { posted: 'BOOKED', pending: 'PENDING' };

const WIRE: WireSubject = {
  lacks: { listings: 'A response lists the rows of all accounts.' },
  sharesPages: true,
  open(origin, _accounts, http) {
    const provider = createSandboxProvider({ baseUrl: origin, secret: 'secret', http });
    const credential = encodeCredential({ connectionId: 'con_1', accessToken: 'at_1' });
    const access = accessWith({ credential, reference: 'con_1' }, 'sandbox-instant-bank');
    return Promise.resolve({ provider, access });
  },
  requestOf({ pathname, searchParams }) {
    const [, part] = PATH.exec(pathname) ?? [];
    if (part === undefined) return null;
    return part === 'accounts'
      ? { about: 'accounts' }
      : { about: 'rows', account: null, page: Number(searchParams.get('page_token') ?? 0) };
  },
  accountList: (accounts) => ({
    accounts: accounts.map(({ id, name, kind, cents }) => ({
      account_id: id,
      product: kind === 'card' ? 'CREDIT_CARD' : 'CHECKING',
      display_name: name,
      number_last4: '1101',
      currency: 'USD',
      balances: {
        available: null,
        current: amountOf(kind === 'card' ? -cents : cents),
        credit_limit: null,
        as_of: '2026-03-02T10:15:30.120Z',
      },
    })),
  }),
  row: ({ id, account, text, cents, posted, happened, status }) => ({
    transaction_id: id,
    account_id: account,
    direction: cents < 0 ? 'OUT' : 'IN',
    amount: amountOf(Math.abs(cents)),
    currency: 'USD',
    booking_date: posted,
    transacted_at: happened === null ? null : `${happened}T08:12:00.000`,
    status: WORDS[status] ?? status,
    description: text,
    statement_text: null,
  }),
  page: (rows, next, { searchParams }) => ({
    transactions: [...rows.values()].flat(),
    next_page_token: next,
    covered: { from: searchParams.get('from'), to: searchParams.get('to') },
  }),
};
export default WIRE;
