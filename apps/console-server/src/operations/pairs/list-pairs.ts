import type { Environment } from '../../../../../domain/api/environment.js';
import type { PairShare } from '../../../../../domain/limits/pair-share.js';
import {
  listKeyPairs,
  MAX_LISTED_SECRETS,
  type ListedPair,
} from '../../../../../prisma/tenants/applications/key-pair-page.js';
import { readPairUses, type PairUse } from '../../../../../prisma/tenants/usage/pair-use.js';
import { unknownApp } from '../../../../operator/src/operations/pairs/create-pair.js';
import { presentSecret } from '../../../../operator/src/operations/pairs/present-pair.js';
import { tenantOf } from '../app-input.js';
import { operation } from '../operation.js';
import { cutPage } from '../page-size.js';
import { refused } from '../refused.js';
import { MAX_PAIRS } from './max-pairs.js';
import { PairListInput, type PairPage, type ShownPair } from './pair-shapes.js';

export const LIST_PAIRS = operation({
  call: 'GET /apps/:app/:env/pairs',
  roles: ['operator', 'app'],
  level: 'read',
  input: PairListInput,
  run: async (
    { service: { applications, context, database } },
    { app, env, cursor: after = '' },
  ): Promise<PairPage> => {
    if ((await applications.getApplication(app)) === null) return refused(unknownApp(app));
    const page = { after, limit: MAX_PAIRS + 1 };
    const read = await listKeyPairs(database, tenantOf({ app, env }), page);
    const { rows, next } = cutPage(read, MAX_PAIRS, ({ clientId }) => clientId);
    const uses = await readPairUses(context, tenantOf({ app, env }), rows.flatMap(ownShare));
    const pairs = rows
      .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
      .map((pair) => present(pair, env, uses.get(pair.clientId) ?? []));
    return { pairs, next_cursor: next };
  },
});

/** A pair with the whole limits is counted with its app alone. */
const ownShare = ({ clientId, sharePercent: percent }: ListedPair): PairShare[] =>
  percent === 100 ? [] : [{ clientId, percent }];

function present(
  { secrets, restriction, ...pair }: ListedPair,
  environment: Environment,
  ofShare: readonly PairUse[],
): ShownPair {
  const uses = secrets.flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
  return {
    client_id: pair.clientId,
    environment,
    label: pair.label,
    scopes: pair.scopes === null ? null : [...pair.scopes],
    // Numbers alone: ids of users are the app's own.
    restriction:
      restriction === null
        ? null
        : 'users' in restriction
          ? { users: restriction.users.length }
          : { links: restriction.links.length },
    share_percent: pair.sharePercent,
    used_today: ofShare.map(({ bound: name, used, max: limit }) => ({ name, used, limit })),
    live_limit: pair.liveLimit,
    created_at: pair.createdAt.toISOString(),
    ends_at: pair.endsAt?.toISOString() ?? null,
    disabled_at: pair.disabledAt?.toISOString() ?? null,
    last_used_at: uses.length === 0 ? null : new Date(Math.max(...uses)).toISOString(),
    secrets: secrets.slice(0, MAX_LISTED_SECRETS).map(presentSecret),
    has_more_secrets: secrets.length > MAX_LISTED_SECRETS,
  };
}
