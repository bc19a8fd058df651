import type { SandboxResult } from '../../domain/sandbox/sandbox-request.js';

export type ScriptFailed = Extract<SandboxResult, { kind: 'script_failed' }>;

/** The provider's ids by Tributary's, for each field of a step that holds an id. */
type ProviderIds = Partial<Record<'account_id' | 'holding_id', ReadonlyMap<string, string>>>;

const NOT_FOUND = { account_id: 'Account not found.', holding_id: 'Holding not found.' };

/** The steps with the provider's ids; or the first step that names an unknown one. */
export function withProviderIds<Step extends object>(
  script: readonly Step[],
  ids: ProviderIds,
): Step[] | ScriptFailed {
  const remote: Step[] = [];
  for (const [index, step] of script.entries()) {
    const found: Partial<Record<keyof ProviderIds, string>> = {};
    for (const field of ['account_id', 'holding_id'] as const) {
      const named = (step as Partial<Record<string, unknown>>)[field];
      if (typeof named !== 'string') continue;
      const id = ids[field]?.get(named);
      if (id === undefined) return { kind: 'script_failed', index, reason: NOT_FOUND[field] };
      found[field] = id;
    }
    remote.push({ ...step, ...found });
  }
  return remote;
}
