import { fileIn } from '../../proof/file-in.js';
import type { VendorKeys } from '../../proof/vendor-keys.js';

const KEYS: VendorKeys = {
  needed: ['FDX_SETTINGS_FILE', 'FDX_SECRETS_FILE'],
  settings: (env) => JSON.parse(fileIn(env, 'FDX_SETTINGS_FILE') ?? '') as Record<string, unknown>,
  secrets: (env) => JSON.parse(fileIn(env, 'FDX_SECRETS_FILE') ?? '') as Record<string, string>,
};
export default KEYS;
