import type { AdapterManifest } from './adapter-manifest.js';
import type { Adapter } from './adapter.js';
import { MANIFESTS } from './manifests.js';

/** Adapters with their code. */
export function loadAdapters(manifests: readonly AdapterManifest[]): Promise<Adapter[]> {
  return Promise.all(
    manifests.map(async ({ name, settings, load }) => ({ name, settings, ...(await load()) })),
  );
}

/** The adapters of `manifests.ts`, with their code. */
export const ADAPTERS: readonly Adapter[] = await loadAdapters(MANIFESTS);
