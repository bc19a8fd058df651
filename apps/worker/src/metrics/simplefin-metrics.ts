import type { Registry } from 'prom-client';
import type { BusyApp } from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { boundedLabel } from '../../../platform/src/metrics/bounded-label.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

const MAX_APPS = 100;

/** Shows the apps that create unusually many SimpleFIN tokens. */
export function collectSimplefinMetrics(registry: Registry, read: Reading<BusyApp[]>): void {
  const label = boundedLabel(MAX_APPS);
  createGauge(registry, 'tributary_simplefin_tokens_last_hour', async function () {
    const apps = await read();
    this.reset();
    // The busiest last: of those shown as `other`, it stays.
    for (const { appId, environment, tokens } of [...(apps ?? [])].reverse())
      this.set({ app: label(appId), environment }, tokens);
  });
}
