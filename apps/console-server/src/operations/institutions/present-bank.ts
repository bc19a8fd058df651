import { decayCounts, routeHealth } from '../../../../../domain/institutions/route-health.js';
import { newestActions } from '../../../../../prisma/base/operator-actions/newest-action.js';
import {
  readBanks,
  type BankStanding,
} from '../../../../../prisma/operations/standing/bank-standing.js';
import type { StoredHealth } from '../../../../../prisma/sources/institutions/list-banks.js';
import { UNTIL_RESUMED } from '../../../../../prisma/work/refresh/refresh-control.repository.js';
import type { ControlScope } from '../../../../../prisma/work/refresh/refresh-controls.js';
import type { ConsoleParts } from '../operation.js';
import type { CallHealth, ShownBank, ShownPause, ShownRoute } from './institution-shapes.js';

type Asked = Pick<ConsoleParts, 'service' | 'now'>;
type Ends = readonly { name: string; until: Date | null }[];
type Pauses = ReadonlyMap<string, ShownPause>;

/** Banks as the console shows them, in the order of the ids. */
export async function showBanks(
  { service, now }: Asked,
  institutionIds: readonly string[],
): Promise<ShownBank[]> {
  const banks = await readBanks(service.database, institutionIds);
  const ends = banks.map(({ institutionId: name, pausedUntil: until }) => ({ name, until }));
  const ofRoutes = banks
    .flatMap(({ routes }) => routes)
    .map(({ provider: name, pausedUntil: until }) => ({ name, until }));
  const [paused, pausedProviders] = await Promise.all([
    pausesOf({ service, now }, 'institution', ends),
    pausesOf({ service, now }, 'provider', ofRoutes),
  ]);
  return banks.map((bank) => ({
    institution_id: bank.institutionId,
    name: bank.name,
    country: bank.country,
    environment: bank.environment,
    is_hidden: bank.hidden,
    routes: bank.routes.map((route) => presentRoute(route, pausedProviders, now())),
    paused: paused.get(bank.institutionId) ?? null,
  }));
}

/** The pauses that last, with the operator and the reason in the record. */
export async function pausesOf(
  { service, now }: Asked,
  scope: ControlScope,
  ends: Ends,
): Promise<Pauses> {
  const lasting = new Map(
    ends.flatMap(({ name, until }) =>
      until !== null && until > now() ? [[name, until] as const] : [],
    ),
  );
  const actions = await newestActions(service.database, `${scope}s pause`, [...lasting.keys()]);
  return new Map(
    [...lasting].map(([name, until]) => {
      const action = actions.get(name);
      return [
        name,
        {
          scope,
          until: until < UNTIL_RESUMED ? until.toISOString() : null,
          by: action?.actor ?? null,
          reason: reasonIn(action?.subject ?? ''),
        },
      ];
    }),
  );
}

const REASON = ' --reason ';

/** The reason is the last option of a recorded command. */
function reasonIn(subject: string): string | null {
  const at = subject.indexOf(REASON);
  return at < 0 ? null : subject.slice(at + REASON.length);
}

function presentRoute(
  route: BankStanding['routes'][number],
  paused: Pauses,
  now: Date,
): ShownRoute {
  const [login, refresh] = (['login', 'fetch'] as const).map((operation) =>
    callsOf(route.health, operation, now),
  );
  const worst = [login, refresh]
    .filter((calls) => calls !== undefined)
    .sort((one, other) => other.rank - one.rank)[0];
  return {
    provider: route.provider,
    login: login?.health ?? 'unknown',
    refresh: refresh?.health ?? 'unknown',
    since: worst?.stored?.lastOkAt?.toISOString() ?? null,
    cause: worst !== undefined && worst.rank > 1 ? (worst.stored?.lastCause ?? null) : null,
    reported: route.reported,
    is_unreachable: route.isUnreachable,
    paused: paused.get(route.provider) ?? null,
  };
}

const RANKS: readonly CallHealth[] = ['unknown', 'operational', 'degraded', 'down'];
/** Calls whose counts have decayed below this are no evidence. */
const LEAST_CALLS = 0.5;

function callsOf(
  all: readonly StoredHealth[],
  operation: StoredHealth['operation'],
  now: Date,
): { health: CallHealth; rank: number; stored: StoredHealth | undefined } {
  const stored = all.find((each) => each.operation === operation);
  const health = stored === undefined ? 'unknown' : healthOf(stored, now);
  return { health, rank: RANKS.indexOf(health), stored };
}

function healthOf(stored: StoredHealth, now: Date): CallHealth {
  const { successes, failures } = decayCounts(stored, now);
  return successes + failures < LEAST_CALLS ? 'unknown' : routeHealth([stored], now);
}
