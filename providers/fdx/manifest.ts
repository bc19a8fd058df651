import type { AdapterManifest } from '../adapter-manifest.js';
import { FDX_RECORDING } from './recording-profile.js';
import { FDX_SETTINGS } from './settings.js';

export const FDX: AdapterManifest = {
  name: 'fdx',
  title: 'FDX',
  reaches: 'banks in the United States and Canada that speak FDX 6',
  needs: 'a client registration at each bank',
  settings: FDX_SETTINGS,
  recording: FDX_RECORDING,
  load: async () => {
    const { createFdxProvider, pinFdx } = await import('./fdx-adapter.js');
    return { create: createFdxProvider, pin: pinFdx };
  },
};
