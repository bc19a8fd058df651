import { isDatabaseUnreachable } from '../../../../../prisma/base/database/database-failures.js';
import { GaugeRepository } from '../../../../../prisma/operations/gauges/gauge.repository.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../../../workflows/search-attribute-types.contract.js';
import type { Service } from '../../../../operator/src/service.js';
import { buildInfo } from '../../../../platform/src/build/build-info.js';
import { databaseChecks } from '../../../../platform/src/database/database-checks.js';
import type { HealthCheck } from '../../../../platform/src/process/health-check.js';
import { temporalChecks } from '../../../../platform/src/temporal/temporal-checks.js';
import { temporalPlace } from '../../../../platform/src/temporal/temporal-place.js';
import { keptFor } from '../kept-for.js';
import { operation } from '../operation.js';
import { examinePart } from './examine-part.js';
import { PartsInput, type Parts, type WaitingWork } from './part-shapes.js';
import { waitingWork } from './waiting-work.js';

const KEPT_MS = 5_000;
const PATIENCE_MS = 2_000;

/** The patience with a silent part is an argument, since a test on a busy machine needs more. */
export const listParts = (patienceMs: number) => {
  const read = keptFor(KEPT_MS, async ({ service, now }): Promise<Parts> => {
    const checks = [...databaseChecks(service.context), ...(await checksOfTemporal(service))];
    const [parts, waiting] = await Promise.all([
      Promise.all(checks.map((check) => examinePart(check, patienceMs))),
      readWaiting(service),
    ]);
    return { ...buildInfo(), parts, waiting, read_at: now().toISOString() };
  });
  return operation({
    call: 'GET /instance/parts',
    roles: ['operator'],
    level: 'read',
    input: PartsInput,
    run: (parts): Promise<Parts> => read(parts),
  });
};

export const LIST_PARTS = listParts(PATIENCE_MS);

async function readWaiting({ context }: Service): Promise<WaitingWork[] | null> {
  try {
    return waitingWork(await new GaugeRepository(context).read());
  } catch (error) {
    // The part "database" has the cause.
    if (isDatabaseUnreachable(error)) return null;
    throw error;
  }
}

/** A service without an address of Temporal, such as one for migrations alone, needs no part of it. */
async function checksOfTemporal(service: Service): Promise<HealthCheck[]> {
  const { temporalAddress } = service.settings;
  if (temporalAddress === undefined) return [];
  try {
    return temporalChecks({
      temporal: await service.temporalClient(),
      place: temporalPlace({ ...service.settings, temporalAddress }),
      attributes: SEARCH_ATTRIBUTE_TYPES,
      critical: false,
    });
  } catch (error) {
    // Its certificates or its key cannot be read.
    return [{ part: 'temporal', critical: false, check: () => Promise.reject(error as Error) }];
  }
}
