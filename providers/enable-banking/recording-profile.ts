import { generateKeyPairSync } from 'node:crypto';
import { CODE, COUNTRY, CURRENCY, TIME } from '../recordings/kept-forms.js';
import type { RecordingProfile } from '../recordings/recording-profile.js';
import { readRemoteId } from './catalog/remote-id.js';
import { encodeCredential } from './client/sealed.js';
import type { EnableBankingPublicSettings } from './settings.js';

const NO_APPLICATION = '00000000-0000-4000-8000-000000000000';

export const ENABLE_BANKING_RECORDING: RecordingProfile = {
  rules: {
    kept: {
      environment: CODE,
      country: COUNTRY,
      psu_types: CODE,
      psu_type: CODE,
      usage: CODE,
      approach: CODE,
      required_psu_headers: /^[A-Za-z]{2,20}(-[A-Za-z]{2,20}){0,5}$/,
      maximum_consent_validity: /^\d{1,10}$/,
      currency: CURRENCY,
      cash_account_type: CODE,
      balance_type: CODE,
      credit_debit_indicator: CODE,
      status: CODE,
      error: CODE,
      booking_date: TIME,
      value_date: TIME,
      transaction_date: TIME,
      reference_date: TIME,
      last_change_date_time: TIME,
    },
    amounts: ['amount'],
  },
  resources: [
    'application',
    'aspsps',
    'sessions',
    'accounts',
    'details',
    'balances',
    'transactions',
  ],
  countryOf: (settings) => (settings as EnableBankingPublicSettings).countries[0] ?? '',
  narrow(settings, remoteId) {
    const { countries, ...others } = settings as EnableBankingPublicSettings;
    const country = (remoteId === null ? null : readRemoteId(remoteId))?.country;
    return { ...others, countries: country === undefined ? countries.slice(0, 1) : [country] };
  },
  replaySettings(settings, scrubber) {
    const { redirectAddress, countries, psuTypes } = settings as EnableBankingPublicSettings;
    return {
      applicationId: NO_APPLICATION,
      redirectAddress: scrubber.text(redirectAddress),
      countries,
      psuTypes,
    };
  },
  replaySecrets: () => ({
    privateKey: generateKeyPairSync('rsa', { modulusLength: 2_048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  }),
  replayCredential: (accounts) =>
    encodeCredential({
      sessionId: 'session',
      psuHeaders: [],
      accounts: Array.from({ length: accounts }, (_, at) => ({
        id: `account-${at}`,
        uid: `uid-${at}`,
        iban: null,
        bban: null,
        bic: null,
        currency: null,
      })),
    }),
};
