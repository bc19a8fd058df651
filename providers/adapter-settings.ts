import type { AdapterSettings } from './adapter.js';
import { ENABLE_BANKING_SETTINGS } from './enable-banking/settings.js';
import { FDX_SETTINGS } from './fdx/settings.js';
import { SIMPLEFIN_SETTINGS } from './simplefin/settings.js';

export type { AdapterSettings } from './adapter.js';
export { readAdapterSettings, SettingsRefused } from './read-settings.js';

/**
 * The settings of every adapter in `adapters.ts`, by its name. Operator commands load these and no
 * adapter.
 */
export const ADAPTER_SETTINGS: Readonly<Record<string, AdapterSettings>> = {
  'enable-banking': ENABLE_BANKING_SETTINGS,
  fdx: FDX_SETTINGS,
  simplefin: SIMPLEFIN_SETTINGS,
};
