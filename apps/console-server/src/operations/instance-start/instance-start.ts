import { routeHealth } from '../../../../../domain/institutions/route-health.js';
import { GaugeRepository } from '../../../../../prisma/operations/gauges/gauge.repository.js';
import { countAbandonedEvents } from '../../../../../prisma/operations/standing/apps-in-need.js';
import { countLinksInError } from '../../../../../prisma/operations/standing/links-in-error.js';
import { listFailingRoutes } from '../../../../../prisma/sources/institutions/list-banks.js';
import type { Service } from '../../../../operator/src/service.js';
import { keptFor } from '../kept-for.js';
import { operation } from '../operation.js';
import { waitingWork } from '../parts/waiting-work.js';
import { InstanceStartInput, type InstanceStart } from './instance-start-shapes.js';

const KEPT_MS = 15_000;
/** Routes that are read for the number of banks that are down. */
const MAX_ROUTES = 1_001;

export const INSTANCE_START = operation({
  call: 'GET /instance/start',
  roles: ['operator'],
  level: 'read',
  input: InstanceStartInput,
  run: (parts): Promise<InstanceStart> => readStart(parts),
});

const readStart = keptFor(KEPT_MS, async ({ service, now }): Promise<InstanceStart> => {
  const [linksInError, eventsAbandoned, banksDown, configurations, gauges] = await Promise.all([
    countLinksInError(service.database),
    countAbandonedEvents(service.database),
    countBanksDown(service, now()),
    service.configurations.list(),
    new GaugeRepository(service.context).read(),
  ]);
  return {
    sentence_parts: {
      links_in_error: linksInError,
      banks_down: banksDown,
      events_abandoned: eventsAbandoned,
      receivers_refusing: gauges.work.endpointsRefusing,
      configurations_broken: configurations.filter(({ enabled, broken }) => enabled && broken)
        .length,
    },
    waiting: waitingWork(gauges),
    read_at: now().toISOString(),
  };
});

/** Banks with a route whose calls fail, whichever others they have. */
async function countBanksDown({ database }: Service, now: Date): Promise<number> {
  const routes = await listFailingRoutes(database, { after: '', limit: MAX_ROUTES });
  const down = routes.filter((route) => routeHealth([route], now) === 'down');
  return new Set(down.map(({ institutionId }) => institutionId)).size;
}
