import type { AdapterManifest } from '../adapter-manifest.js';
import { ENABLE_BANKING_RECORDING } from './recording-profile.js';
import { ENABLE_BANKING_SETTINGS } from './settings.js';

export const ENABLE_BANKING: AdapterManifest = {
  name: 'enable-banking',
  title: 'Enable Banking',
  reaches: 'European Economic Area',
  needs: 'an application at Enable Banking and its RSA key; free for your own accounts',
  settings: ENABLE_BANKING_SETTINGS,
  recording: ENABLE_BANKING_RECORDING,
  load: async () => {
    const { createEnableBankingProvider } = await import('./enable-banking-adapter.js');
    return { create: createEnableBankingProvider };
  },
};
