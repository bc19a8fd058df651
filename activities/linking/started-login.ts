import type { ProviderRegistry } from '../../providers/registry.js';
import type { StartedLogin } from './session-state.js';

/** What a workflow may know of a started login. */
export function startedLogin(
  providers: Pick<ProviderRegistry, 'get'>,
  { linkId, provider, institutionId }: Pick<StartedLogin, 'linkId' | 'provider' | 'institutionId'>,
  attemptKey: string,
): StartedLogin {
  return {
    linkId,
    provider,
    institutionId,
    attemptKey,
    mayRepeat: providers.get(provider).facts.idempotentLogin,
  };
}
