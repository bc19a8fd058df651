import type { AdapterManifest } from '../../../../providers/adapter-manifest.js';
import { TOY_SETTINGS } from './settings.js';

/** All information that the service has about the toy source. */
export const TOY: AdapterManifest = {
  name: 'toy-source',
  title: 'Toy source',
  reaches: 'one bank that does not exist',
  needs: 'nothing',
  settings: TOY_SETTINGS,
  recording: {
    rules: { kept: {}, amounts: [] },
    resources: [],
    countryOf: () => 'US',
    narrow: (settings) => settings,
    replaySettings: (settings) => settings,
    replaySecrets: () => ({}),
    replayCredential: () => new Uint8Array(),
  },
  load: async () => {
    const { createToyProvider } = await import('./toy-adapter.js');
    return { create: createToyProvider };
  },
};
