import { fileIn } from '../../proof/file-in.js';
import type { VendorKeys } from '../../proof/vendor-keys.js';

const KEYS: VendorKeys = {
  needed: ['ENABLE_BANKING_APPLICATION_ID', 'ENABLE_BANKING_KEY_FILE', 'ENABLE_BANKING_REDIRECT'],
  settings: (env) => ({
    applicationId: env['ENABLE_BANKING_APPLICATION_ID'],
    redirectAddress: env['ENABLE_BANKING_REDIRECT'],
    countries: [env['ENABLE_BANKING_COUNTRY'] ?? 'FI'],
  }),
  secrets: (env) => ({ privateKey: fileIn(env, 'ENABLE_BANKING_KEY_FILE') ?? '' }),
};
export default KEYS;
