import { MANIFESTS } from '../../../providers/manifests.js';
import { SANDBOX_PROVIDER } from '../../../domain/link/provider-name.js';

/** The names of all adapters. */
export const ADAPTER_NAMES: readonly string[] = MANIFESTS.map(({ name }) => name);

/** Includes the provider that needs no configuration. */
export const SOURCE_NAMES: readonly string[] = [...ADAPTER_NAMES, SANDBOX_PROVIDER];

/**
 * The part of an adapter that tests need: `part` is a file in every
 * `test/support/adapters/<adapter>/`, whose default export is returned.
 * @throws Error when an adapter has no such file
 */
export async function byAdapter<T>(
  part: string,
  names = ADAPTER_NAMES,
): Promise<Readonly<Record<string, T>>> {
  const load = async (name: string) => {
    const { default: found } = (await import(
      new URL(`./${name}/${part}.ts`, import.meta.url).href
    )) as { default: T };
    return [name, found] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(load)));
}
