import { fileIn } from '../../proof/file-in.js';
import type { VendorKeys } from '../../proof/vendor-keys.js';

const KEYS: VendorKeys = {
  // A setup token works once: a new one for each run.
  needed: ['SIMPLEFIN_DEMO_TOKEN'],
  settings: (env) => ({
    ...(env['SIMPLEFIN_SETTINGS_FILE'] === undefined
      ? {}
      : (JSON.parse(fileIn(env, 'SIMPLEFIN_SETTINGS_FILE') ?? '') as object)),
  }),
  secrets: () => ({}),
};
export default KEYS;
