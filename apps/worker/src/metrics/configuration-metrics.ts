import type { Registry } from 'prom-client';
import type { ConfigurationRecord } from '../../../../prisma/work/providers/provider-configuration.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

/** Alerts for operators, per configuration. @returns accepts the stored configurations */
export function createConfigurationMetrics(
  registry: Registry,
): (stored: readonly ConfigurationRecord[]) => void {
  const end = createGauge(registry, 'tributary_provider_credentials_end_seconds');
  const broken = createGauge(registry, 'tributary_provider_broken');
  return (stored) => {
    end.reset();
    broken.reset();
    for (const { name, credentialsEndAt, broken: isBroken } of stored) {
      broken.set({ provider: name }, isBroken ? 1 : 0);
      if (credentialsEndAt !== null)
        end.set({ provider: name }, credentialsEndAt.getTime() / 1_000);
    }
  };
}
