import type { Registry } from 'prom-client';
import type { BoundUse } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { boundedLabel } from '../../../platform/src/metrics/bounded-label.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

const MAX_APPS = 100;

/** Shows the use of apps in relation to their bounds. */
export function collectAppUseMetrics(registry: Registry, read: Reading<BoundUse[]>): void {
  const label = boundedLabel(MAX_APPS);
  createGauge(registry, 'tributary_app_use_ratio', async function () {
    const uses = await read();
    this.reset();
    // Furthest from its bound first: of those shown as `other`, the nearest stays.
    for (const { appId, environment, bound, used, max } of [...(uses ?? [])].reverse())
      this.set({ app: label(appId), environment, bound }, used / Math.max(1, max));
  });
}
