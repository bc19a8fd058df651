import { CODE, CURRENCY, EPOCH_SECONDS } from '../recordings/kept-forms.js';
import type { RecordingProfile } from '../recordings/recording-profile.js';
import { encodeCredential } from './client/access-url.js';

const HOST = 'scrubbed.example';

export const SIMPLEFIN_RECORDING: RecordingProfile = {
  rules: {
    kept: {
      versions: /^\d{1,2}(\.\d{1,3}){0,2}$/,
      code: /^[a-z]{2,10}\.[a-z]{0,30}$/,
      currency: CURRENCY,
      status: CODE,
      posted: EPOCH_SECONDS,
      transacted_at: EPOCH_SECONDS,
      'balance-date': EPOCH_SECONDS,
    },
    amounts: [
      'amount',
      'balance',
      'available-balance',
      'shares',
      'market_value',
      'cost_basis',
      'purchase_price',
    ],
  },
  resources: ['info', 'accounts'],
  countryOf: (_settings, remoteId) => remoteId?.toUpperCase() ?? 'US',
  narrow: (settings) => settings,
  replaySettings: () => ({ server: `https://${HOST}/simplefin`, hosts: [HOST] }),
  replaySecrets: () => ({}),
  replayCredential: () => encodeCredential(`https://user:password@${HOST}/simplefin`),
};
