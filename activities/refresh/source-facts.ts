import {
  ordinarySource,
  shortestIntervalMs,
  type SourceFactsOf,
} from '../../domain/refresh/source-facts.js';
import type { ProviderRegistry } from '../../providers/registry.js';

/** The facts of the registered providers that schedules and plans depend on. */
export function sourceFactsOf(providers: Pick<ProviderRegistry, 'all'>): SourceFactsOf {
  return (name) => {
    const provider = providers.all().find((each) => each.name === name);
    if (provider === undefined) return ordinarySource(name);
    const { quotas, refreshEveryMs, wholeHistory, absence } = provider.facts;
    return {
      atLeastMs: shortestIntervalMs(quotas, refreshEveryMs),
      historyFirst: wholeHistory === 'after_login',
      updatesFirst: provider.update !== undefined,
      absence,
    };
  };
}
