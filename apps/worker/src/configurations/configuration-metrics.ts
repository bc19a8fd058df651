import { Gauge, type Registry } from 'prom-client';
import type { ConfigurationRecord } from '../../../../prisma/providers/provider-configuration.js';

/** What an operator should be alerted of, per configuration. @returns takes what is stored */
export function createConfigurationMetrics(
  registry: Registry,
): (stored: readonly ConfigurationRecord[]) => void {
  const end = new Gauge({
    name: 'tributary_provider_credentials_end_seconds',
    help: 'When the certificate or key of a configuration expires, in seconds since 1970',
    labelNames: ['provider'],
    registers: [registry],
  });
  const broken = new Gauge({
    name: 'tributary_provider_broken',
    help: '1 while the source refuses the keys of a configuration, or they cannot be opened',
    labelNames: ['provider'],
    registers: [registry],
  });
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
