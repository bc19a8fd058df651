import type { Registry } from 'prom-client';
import type { ObserveRefresh } from '../../../../activities/refresh/observe-refresh.js';
import { boundedLabel } from '../../../platform/src/metrics/bounded-label.js';
import { createCounter } from '../../../platform/src/metrics/create-metric.js';

/** A list of thousands that all fail is one failure, and shows as one of its provider. */
const MAX_INSTITUTIONS = 500;

/** Counts what runs of refresh settle; institutions only where it fails. */
export function createRefreshMetrics(registry: Registry): ObserveRefresh {
  const refreshes = createCounter(registry, 'tributary_refreshes_total');
  const failed = createCounter(registry, 'tributary_refreshes_failed_total');
  const label = boundedLabel(MAX_INSTITUTIONS);
  return ({ provider, product, outcome, institutionId }) => {
    refreshes.inc({ provider, product, outcome });
    if (institutionId !== undefined) failed.inc({ provider, institution: label(institutionId) });
  };
}
