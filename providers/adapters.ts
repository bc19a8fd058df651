import type { Adapter } from './adapter.js';
import { ENABLE_BANKING } from './enable-banking/enable-banking-adapter.js';
import { FDX } from './fdx/fdx-adapter.js';
import { SIMPLEFIN } from './simplefin/simplefin-adapter.js';

/** Every kind of source that reached its proof level; a new adapter adds its line here. */
export const ADAPTERS: readonly Adapter[] = [ENABLE_BANKING, FDX, SIMPLEFIN];
