import type { Adapter } from './adapter.js';
import { MANIFESTS } from './manifests.js';

/** The adapters of `manifests.ts`, with their code. */
export const ADAPTERS: readonly Adapter[] = await Promise.all(
  MANIFESTS.map(async ({ name, settings, load }) => ({ name, settings, ...(await load()) })),
);
