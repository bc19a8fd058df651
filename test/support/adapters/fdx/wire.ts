import { encodeCredential } from '../../../../providers/fdx/client/credential.js';
import { createFdxProvider } from '../../../../providers/fdx/fdx-adapter.js';
import { FDX_SETTINGS } from '../../../../providers/fdx/settings.js';
import { amountOf, type WireSubject } from '../../../conformance/wire/wire-subject.js';
import { accessWith } from '../../fixtures/provider-calls.js';
import { LosslessNumber } from 'lossless-json';

const PATH = /\/fdx\/v6\/accounts(?:\/([^/]+))?(\/transactions)?$/;
const WORDS: Readonly<Record<string, string>> = { posted: 'POSTED', pending: 'PENDING' };

const WIRE: WireSubject = {
  lacks: {},
  sharesPages: false,
  noRows: [404, 422],
  open(origin, _accounts, http) {
    const provider = createFdxProvider(
      {
        adapter: 'fdx',
        name: 'fdx',
        environment: 'sandbox',
        settings: FDX_SETTINGS.public.parse({
          institutions: [
            {
              remoteId: 'bank',
              name: 'Bank',
              country: 'US',
              issuer: origin,
              fdxBase: `${origin}/fdx/v6`,
              clientId: 'client',
              clientAuthentication: 'client_secret_basic',
              metadata: {
                authorization_endpoint: `${origin}/authorize`,
                token_endpoint: `${origin}/token`,
              },
            },
          ],
          allowLoopback: true,
        }),
        secrets: { clientSecret: 'secret' },
      },
      { http },
    );
    const credential = encodeCredential({
      accessToken: 'token',
      endsAt: null,
      refreshToken: 'refresh',
      dpopKey: null,
    });
    const access = accessWith({ credential, reference: 'permission' }, 'bank');
    return Promise.resolve({ provider, access });
  },
  requestOf({ pathname, searchParams }) {
    const [path, account, rows] = PATH.exec(pathname) ?? [];
    if (path === undefined) return null;
    if (account === undefined) return { about: 'accounts' };
    return rows === undefined
      ? { about: 'account', account, part: 'balances' }
      : { about: 'rows', account, page: Number(searchParams.get('offset') ?? 0) };
  },
  other: () => ({ access_token: 'renewed', token_type: 'Bearer', expires_in: 3_600 }),
  accountList: (accounts) => ({
    accounts: accounts.map(({ id, name, kind }) => ({
      accountId: id,
      accountCategory: kind === 'card' ? 'LOC_ACCOUNT' : 'DEPOSIT_ACCOUNT',
      accountType: kind === 'card' ? 'CREDITCARD' : 'CHECKING',
      nickname: name,
      currency: { currencyCode: 'USD' },
      status: 'OPEN',
    })),
  }),
  accountPart: ({ kind, cents }) => ({
    currentBalance: new LosslessNumber(amountOf(kind === 'card' ? -cents : cents)),
  }),
  row: ({ id, text, cents, posted, happened, status }) => ({
    transactionId: id,
    amount: new LosslessNumber(amountOf(Math.abs(cents))),
    debitCreditMemo: cents < 0 ? 'DEBIT' : 'CREDIT',
    status: WORDS[status] ?? status,
    postedTimestamp: posted,
    transactionTimestamp: happened,
    description: text,
  }),
  page: (rows, next) => ({ transactions: [...rows.values()].flat(), page: { nextOffset: next } }),
};
export default WIRE;
