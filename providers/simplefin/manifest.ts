import type { AdapterManifest } from '../adapter-manifest.js';
import { SIMPLEFIN_RECORDING } from './recording-profile.js';
import { SIMPLEFIN_SETTINGS } from './settings.js';

export const SIMPLEFIN: AdapterManifest = {
  name: 'simplefin',
  title: 'SimpleFIN',
  reaches: 'United States, Canada',
  needs: 'nothing; your user brings a setup token',
  settings: SIMPLEFIN_SETTINGS,
  recording: SIMPLEFIN_RECORDING,
  load: async () => {
    const { createSimplefinProvider } = await import('./simplefin-adapter.js');
    return { create: createSimplefinProvider };
  },
};
