import type { Tenant } from '../../../domain/api/environment.js';
import {
  APP_BOUNDS,
  BOUND_NAMES,
  countedOn,
  type BoundName,
} from '../../../domain/limits/app-bounds.js';
import { wholeShare, type PairShare } from '../../../domain/limits/pair-share.js';
import type { Context } from '../../base/context.js';
import { Values, type Statement } from '../../base/database/statement.js';

/** Stored amounts belong to the app: a key pair has a part of the daily ones alone. */
const DAILY = BOUND_NAMES.filter((bound) => APP_BOUNDS[bound].kind === 'daily');
/** `take` counts in the first, `release` in the second. */
const SLOTS = [0, 1];

/** What a key pair with a share of its own has used of it today. */
export interface PairUse {
  bound: BoundName;
  used: number;
  max: number;
}

/** The counted use of key pairs on a day, `YYYY-MM-DD`, and the app's own limit of each bound. */
export function pairUseStatement(
  { appId, environment }: Tenant,
  { clientIds, day }: { clientIds: readonly string[]; day: string },
): Statement {
  const values = new Values();
  return values.statement(`
    SELECT u.client_id AS "clientId", u.bound, sum(u.used)::float8 AS used, max(own.most)::float8 AS own
      FROM app_use u
      LEFT JOIN app_limits own ON own.app_id = u.app_id AND own.environment = u.environment AND own.bound = u.bound
     WHERE u.app_id = ${values.add(appId)} AND u.environment = ${values.add(environment)} AND u.bound = ANY(${values.add(DAILY)}::text[])
       AND u.day = ${values.add(day)}::date AND u.slot = ANY(${values.add(SLOTS)}::int[]) AND u.client_id = ANY(${values.add(clientIds)}::text[])
     GROUP BY u.client_id, u.bound`);
}

/** The use of today of key pairs of an app, by their ids; bounds without use are left out. */
export async function readPairUses(
  { database: { pool }, bounds, clock }: Pick<Context, 'database' | 'bounds' | 'clock'>,
  tenant: Tenant,
  pairs: readonly PairShare[],
): Promise<Map<string, PairUse[]>> {
  const uses = new Map<string, PairUse[]>(pairs.map(({ clientId }) => [clientId, []]));
  if (pairs.length === 0) return uses;
  const day = countedOn('sessions', clock());
  const { rows } = await pool.query<{
    clientId: string;
    bound: BoundName;
    used: number;
    own: number | null;
  }>(pairUseStatement(tenant, { clientIds: [...uses.keys()], day }));
  for (const { clientId, percent } of pairs)
    for (const { bound, used, own } of rows.filter((row) => row.clientId === clientId))
      if (used > 0)
        uses.get(clientId)?.push({ bound, used, max: wholeShare(own ?? bounds[bound], percent) });
  return uses;
}
