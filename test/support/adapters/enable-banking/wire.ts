import { remoteIdOf } from '../../../../providers/enable-banking/catalog/remote-id.js';
import { encodeCredential } from '../../../../providers/enable-banking/client/sealed.js';
import { createEnableBankingProvider } from '../../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING_SETTINGS } from '../../../../providers/enable-banking/settings.js';
import { amountOf, type WireSubject } from '../../../conformance/wire/wire-subject.js';
import { newKeys } from '../../fixtures/enable-banking-application.js';
import { accessWith, PRESENT_USER, redirectRequest } from '../../fixtures/provider-calls.js';

const PATH = /\/accounts\/([^/]+)\/(details|balances|transactions)$/;
const WORDS: Readonly<Record<string, string>> = { posted: 'BOOK', pending: 'PDNG' };

/** Generated once, because it takes long. */
let keys: ReturnType<typeof newKeys> | undefined;

const aspspOf = (name: string, at: number) => ({
  name,
  country: 'DE',
  logo: `https://logos.example/${at}.png`,
  psu_types: at === 1 ? ['business', 'personal'] : ['personal'],
  maximum_consent_validity: 15_552_000,
  bic: `BANKDE${at + 1}X`,
  required_psu_headers: ['Psu-Ip-Address'],
  group: { name: `Group ${at}` },
});

const WIRE: WireSubject = {
  lacks: {},
  sharesPages: false,
  async open(origin, accounts, http) {
    const { privateKey } = await (keys ??= newKeys());
    const provider = createEnableBankingProvider(
      {
        adapter: 'enable-banking',
        name: 'enable-banking',
        environment: 'sandbox',
        settings: ENABLE_BANKING_SETTINGS.public.parse({
          applicationId: 'cf589be3-3755-465b-a8df-a90a16a31403',
          apiAddress: origin,
          redirectAddress: redirectRequest().redirectUri,
        }),
        secrets: { privateKey },
      },
      { http },
    );
    const credential = encodeCredential({
      sessionId: 'session',
      psuHeaders: [],
      accounts: accounts.map(({ id }) => ({
        id,
        uid: id,
        iban: null,
        bban: null,
        bic: null,
        currency: null,
      })),
    });
    const bank = remoteIdOf({ name: 'Meridian Bank', country: 'DE' });
    const access = accessWith({ credential, reference: 'session' }, bank, PRESENT_USER);
    return { provider, access };
  },
  requestOf({ pathname, searchParams }) {
    const [, account, part = ''] = PATH.exec(pathname) ?? [];
    if (account === undefined) return null;
    if (part !== 'transactions') return { about: 'account', account, part };
    return { about: 'rows', account, page: Number(searchParams.get('continuation_key') ?? 0) };
  },
  institutions: {
    list: { aspsps: ['First Bank', 'Meridian Bank', 'North Bank'].map(aspspOf) },
    login: { url: 'https://login.example/' },
  },
  // The session lists its accounts at the login.
  accountList: () => ({}),
  accountPart: ({ name, kind, cents }, part) =>
    part === 'details'
      ? { details: name, cash_account_type: kind === 'card' ? 'CARD' : 'CACC', currency: 'EUR' }
      : {
          balances: [
            {
              balance_type: 'CLBD',
              balance_amount: { currency: 'EUR', amount: amountOf(cents) },
            },
          ],
        },
  row: ({ id, text, cents, posted, happened, status }) => ({
    entry_reference: id,
    transaction_amount: { currency: 'EUR', amount: amountOf(Math.abs(cents)) },
    credit_debit_indicator: cents < 0 ? 'DBIT' : 'CRDT',
    status: WORDS[status] ?? status,
    booking_date: posted,
    transaction_date: happened,
    remittance_information: [text],
  }),
  page: (rows, next) => ({ transactions: [...rows.values()].flat(), continuation_key: next }),
};
export default WIRE;

// cspell:ignore BANKDE
