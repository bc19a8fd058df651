import type { ProviderAccess, Provider } from '../../../providers/contract/provider.js';
import { encodeCredential as encodeSession } from '../../../providers/enable-banking/client/sealed.js';
import { fetchAccounts as fetchEnableBanking } from '../../../providers/enable-banking/data/fetch-accounts.js';
import { fetchAccounts as fetchFdx } from '../../../providers/fdx/data/fetch-accounts.js';
import type { FdxInstitution } from '../../../providers/fdx/settings.js';
import { readJson } from '../../../providers/http/read-json.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';
import { encodeCredential as encodeToken } from '../../../providers/sandbox/client/credential.js';
import { fetchAccounts as fetchSandbox } from '../../../providers/sandbox/data/fetch-accounts.js';
import { encodeCredential as encodeUrl } from '../../../providers/simplefin/client/access-url.js';
import { addressPolicyOf } from '../../../providers/simplefin/client/address-policy.js';
import { fetchAccounts as fetchSimplefin } from '../../../providers/simplefin/data/fetch-accounts.js';

/** The state of one account at its bank, and what the bank shows of it. */
export interface ShownAccount {
  id: string;
  kind: 'card' | 'checking';
  /** Whether the bank shows the kind: in the name, where a source has no types. */
  isTyped: boolean;
  /** A debt is positive. */
  current: number | null;
  available: number | null;
  limit: number | null;
}

type FetchAccounts = Provider['fetchAccounts'];

const NAMES = { card: 'Visa', checking: 'Everyday Checking' } as const;
const nameOf = ({ kind, isTyped }: ShownAccount): string => (isTyped ? NAMES[kind] : 'For travel');
/** Of sources that show debts as negative. */
const signed = ({ kind, current }: ShownAccount): string | null =>
  current === null ? null : (kind === 'card' ? -current : current).toFixed(2);
const text = (amount: number | null): string | null => amount?.toFixed(2) ?? null;

const simplefin =
  (shown: () => ShownAccount): FetchAccounts =>
  (access) => {
    const account = shown();
    const body = {
      errors: [],
      accounts: [
        {
          id: account.id,
          name: nameOf(account),
          currency: 'USD',
          balance: signed(account),
          'available-balance': text(account.available),
        },
      ],
    };
    const parts = {
      callServer: () => Promise.resolve(JSON.stringify(body)),
      policy: addressPolicyOf({ hosts: ['bridge.example'], allowLoopback: false }),
      now: () => new Date(),
    };
    const credential = encodeUrl('https://user:password@bridge.example/simplefin');
    return fetchSimplefin(parts, accessWithCredential(access, credential));
  };

const enableBanking =
  (shown: () => ShownAccount, currencyOfBalances = 'USD'): FetchAccounts =>
  (access) => {
    const account = shown();
    const balance = (balance_type: string, amount: string | null) =>
      amount === null
        ? []
        : [{ balance_type, balance_amount: { amount, currency: currencyOfBalances } }];
    const answers: Readonly<Record<string, object>> = {
      details: {
        cash_account_type: account.isTyped
          ? { card: 'CARD', checking: 'CACC' }[account.kind]
          : null,
        currency: 'USD',
        details: nameOf(account),
        credit_limit:
          account.limit === null ? null : { amount: text(account.limit), currency: 'USD' },
      },
      balances: {
        balances: [
          ...balance('ITAV', text(account.available)),
          ...balance('ITBD', signed(account)),
        ],
      },
    };
    const callApi = ({ path }: { path: readonly string[] }) =>
      Promise.resolve(answers[path.at(-1) ?? '']);
    const session = {
      id: account.id,
      uid: 'uid',
      iban: null,
      bban: null,
      bic: null,
      currency: null,
    };
    const credential = encodeSession({ sessionId: 's', psuHeaders: [], accounts: [session] });
    return fetchEnableBanking(
      { callApi, now: () => new Date() },
      accessWithCredential(access, credential),
    );
  };

const fdx =
  (shown: () => ShownAccount): FetchAccounts =>
  (access) => {
    const account = shown();
    const kind = {
      card: { accountCategory: 'LOC_ACCOUNT', accountType: 'CREDITCARD' },
      checking: { accountCategory: 'DEPOSIT_ACCOUNT', accountType: 'CHECKING' },
    }[account.kind];
    const listed = {
      accountId: account.id,
      nickname: nameOf(account),
      ...(account.isTyped ? kind : { accountCategory: kind.accountCategory }),
    };
    const { current, available, limit } = account;
    const details =
      account.kind === 'card'
        ? { currentBalance: current, availableCredit: available, creditLine: limit }
        : { currentBalance: current, availableBalance: available };
    return fetchFdx(
      (path, _query, scope) => {
        const answer = path.length === 1 ? { accounts: [listed] } : details;
        const bytes = new TextEncoder().encode(JSON.stringify(answer));
        return Promise.resolve(
          new RemoteObject(readJson(bytes.buffer as ArrayBuffer), 'response', scope),
        );
      },
      { country: 'US' } as FdxInstitution,
      access,
    );
  };

const sandbox =
  (shown: () => ShownAccount): FetchAccounts =>
  (access) => {
    const account = shown();
    const product = { card: 'CREDIT_CARD', checking: 'CHECKING' }[account.kind];
    const listed = {
      account_id: account.id,
      product: account.isTyped ? product : null,
      display_name: nameOf(account),
      currency: 'USD',
      balances: {
        current: text(account.current),
        available: text(account.available),
        credit_limit: text(account.limit),
      },
    };
    const credential = encodeToken({ connectionId: 'con_1', accessToken: 'at_1' });
    return fetchSandbox(
      () => Promise.resolve({ accounts: [listed] }),
      accessWithCredential(access, credential),
    );
  };

/** The access with a credential of the adapter, and without the quotas that it counts. */
const accessWithCredential = (access: ProviderAccess, credential: Uint8Array): ProviderAccess =>
  Object.defineProperties(Object.create(access) as ProviderAccess, {
    credential: { value: credential },
    acquire: { value: () => Promise.resolve() },
  });

/** The reading of accounts of each adapter, behind answers of a test. */
export const ADAPTERS = [
  { name: 'SimpleFIN', accounts: simplefin, hasLimits: false },
  { name: 'Enable Banking', accounts: enableBanking, hasLimits: true },
  { name: 'FDX', accounts: fdx, hasLimits: true },
  { name: 'the sandbox', accounts: sandbox, hasLimits: true },
] as const;

/** Enable Banking alone states a currency for each balance. */
export const inOtherCurrency = (shown: () => ShownAccount): FetchAccounts =>
  enableBanking(shown, 'EUR');
