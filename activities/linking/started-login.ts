import type { ProviderRegistry } from '../../providers/registry.js';
import type { StartedLogin } from './session-state.js';

/** The part of a started login that a workflow may see. */
export function startedLogin(
  providers: Pick<ProviderRegistry, 'get'>,
  {
    linkId,
    provider,
    institutionId,
    route,
    patienceMs,
  }: Pick<StartedLogin, 'linkId' | 'provider' | 'institutionId' | 'route'> & {
    patienceMs?: number | null;
  },
  attemptKey: string,
): StartedLogin {
  return {
    linkId,
    provider,
    institutionId,
    attemptKey,
    ...(route === undefined ? {} : { route }),
    ...(patienceMs == null ? {} : { patienceMs }),
    mayRepeat: providers.get(provider).facts.idempotentLogin,
  };
}
