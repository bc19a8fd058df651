import type { ProviderRegistry } from '../../providers/registry.js';
import type { StartedLogin } from './session-state.js';

/** What a workflow is told of a login that has begun. */
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
