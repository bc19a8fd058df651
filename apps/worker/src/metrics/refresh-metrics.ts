import type { Registry } from 'prom-client';
import type { ObserveRefresh } from '../../../../activities/refresh/observe-refresh.js';
import { boundedLabel } from '../../../platform/src/metrics/bounded-label.js';
import { createCounter } from '../../../platform/src/metrics/create-metric.js';

/** Beyond this number, failing institutions of a list are one failure of their provider. */
const MAX_INSTITUTIONS = 500;

/** Counts the products that refresh runs settle; institutions only for failures. */
export function createRefreshMetrics(registry: Registry): ObserveRefresh {
  const refreshes = createCounter(registry, 'tributary_refreshes_total');
  const failed = createCounter(registry, 'tributary_refreshes_failed_total');
  const label = boundedLabel(MAX_INSTITUTIONS);
  return ({ provider, product, outcome, institutionId }) => {
    refreshes.inc({ provider, product, outcome });
    if (institutionId !== undefined) failed.inc({ provider, institution: label(institutionId) });
  };
}
