import { SANDBOX_PROVIDER, type ProviderNames } from '../../../../domain/link/provider-name.js';
import type { Context } from '../../../../prisma/base/context.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { whileItResponds } from '../../../platform/src/database/database-checks.js';
import { NotReady, type HealthCheck } from '../../../platform/src/process/health-check.js';

const KEPT_MS = 5_000;

/**
 * Requires that no configuration has the name of the sandbox provider, which would then stand for two providers. The default
 * name is reserved and needs no check.
 */
export function providerNameChecks(
  ctx: Context,
  { sandboxProviderName: name }: ProviderNames,
): HealthCheck[] {
  if (name === SANDBOX_PROVIDER) return [];
  const configurations = new ProviderConfigurationRepository(ctx);
  const check = async (): Promise<void> => {
    if (await configurations.isTaken(name))
      throw new NotReady(
        `"${name}" of SANDBOX_PROVIDER_NAME is the name or the adapter of a configured provider`,
        'Set SANDBOX_PROVIDER_NAME to another name',
      );
  };
  return [
    {
      part: 'sandbox_provider_name',
      critical: true,
      keptForMs: KEPT_MS,
      check: () => whileItResponds(check),
    },
  ];
}
