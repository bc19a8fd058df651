import type { AdapterManifest } from './adapter-manifest.js';
import { ENABLE_BANKING } from './enable-banking/manifest.js';
import { FDX } from './fdx/manifest.js';
import { SIMPLEFIN } from './simplefin/manifest.js';

/**
 * Every kind of source that reached its proof level, in the order of the docs; a new adapter adds
 * its line here.
 */
export const MANIFESTS: readonly AdapterManifest[] = [SIMPLEFIN, ENABLE_BANKING, FDX];

export const manifestOf = (adapter: string): AdapterManifest | undefined =>
  MANIFESTS.find(({ name }) => name === adapter);
