import { CODE, CURRENCY, TIME } from '../recordings/kept-forms.js';
import type { RecordingProfile } from '../recordings/recording-profile.js';
import { encodeCredential } from './client/credential.js';
import type { FdxInstitution, FdxPublicSettings } from './settings.js';

const NO_SECRET = 'no-secret';

const institutionsIn = (settings: object): readonly FdxInstitution[] =>
  (settings as FdxPublicSettings).institutions;

export const FDX_RECORDING: RecordingProfile = {
  rules: {
    kept: {
      accountCategory: CODE,
      accountType: /^[A-Z0-9]{1,40}$/,
      accountStatus: CODE,
      status: CODE,
      currencyCode: CURRENCY,
      debitCreditMemo: CODE,
      balanceType: CODE,
      balanceAsOf: TIME,
      postedTimestamp: TIME,
      transactionTimestamp: TIME,
      nextOffset: /^\d{1,9}$/,
      code: /^\d{1,5}$/,
      error: CODE,
      expires_in: /^\d{1,9}$/,
      id_token_signing_alg_values_supported: /^[A-Za-z]{2,6}\d{0,3}$/,
    },
    amounts: [],
  },
  resources: [
    '.well-known',
    'openid-configuration',
    'oauth-authorization-server',
    'accounts',
    'transactions',
  ],
  countryOf: (settings) => institutionsIn(settings)[0]?.country ?? 'US',
  narrow(settings, remoteId) {
    const known = institutionsIn(settings);
    const chosen = known.find((bank) => bank.remoteId === remoteId) ?? known[0];
    return { ...settings, institutions: chosen === undefined ? [] : [chosen] };
  },
  replaySettings: (settings, scrubber) => ({
    institutions: institutionsIn(settings).map(
      ({ remoteId, country, issuer, fdxBase, products, metadata }) => ({
        remoteId,
        name: 'The bank',
        country,
        issuer: scrubber.text(issuer),
        fdxBase: scrubber.text(fdxBase),
        clientId: 'client',
        // Needs no key, and responses do not depend on it.
        clientAuthentication: 'client_secret_basic',
        products,
        // Old recordings are still within the history.
        historyDays: 3_650,
        metadata: scrubber.value(metadata),
      }),
    ),
    ...('redirectUri' in settings ? { redirectUri: 'https://scrubbed.example/callback' } : {}),
  }),
  replaySecrets: () => ({ clientSecret: NO_SECRET }),
  replayCredential: () =>
    encodeCredential({ accessToken: 'token', endsAt: null, refreshToken: null, dpopKey: null }),
};
