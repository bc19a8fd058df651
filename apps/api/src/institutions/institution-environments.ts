import type { Environment } from '../../../../domain/api/environment.js';

/**
 * The environments whose institutions a key pair sees. SANDBOX_BANKS_IN_LIVE allows Live rules to
 * be tried without a real bank.
 */
export function institutionEnvironments(
  environment: Environment,
  sandboxBanksInLive: boolean,
): Environment[] {
  return environment === 'live' && sandboxBanksInLive ? ['live', 'sandbox'] : [environment];
}
