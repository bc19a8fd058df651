import type { Context } from '../../../../prisma/base/context.js';
import { ConfigurationCheckRepository } from '../../../../prisma/work/providers/configuration-check.repository.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { LiabilityRateRepository } from '../../../../prisma/links/liabilities/liability-rate.repository.js';
import { RouteRenewalRepository } from '../../../../prisma/sources/routing/route-renewal.repository.js';
import type { Adapter } from '../../../../providers/adapter.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { ConfigurationChecks } from './configuration-checks.js';
import {
  ConfigurationFollower,
  type ConfigurationFollowerOptions,
} from './configuration-follower.js';

export interface ConfigurationPartsOptions extends Pick<
  ConfigurationFollowerOptions,
  'providers' | 'workers' | 'ofProvider' | 'onRead'
> {
  ctx: Context;
  adapters: readonly Adapter[];
  logger: Logger;
}

/** The parts that keep the worker in step with the operator's configurations. */
export function createConfigurationParts({ ctx, ...options }: ConfigurationPartsOptions) {
  const configurations = new ProviderConfigurationRepository(ctx);
  const checks = new ConfigurationCheckRepository(ctx);
  return {
    follower: new ConfigurationFollower({
      ...options,
      configurations,
      checks,
    }),
    checks: new ConfigurationChecks({
      ...options,
      configurations,
      checks,
      renewals: new RouteRenewalRepository(ctx),
      rates: new LiabilityRateRepository(ctx),
    }),
  };
}
