import type { Tenant } from '../../../../../domain/api/environment.js';
import { createPair } from '../../../../operator/src/operations/pairs/create-pair.js';
import type { Service } from '../../../../operator/src/service.js';
import type { Person } from '../../access/person.js';
import { tenantOf } from '../app-input.js';
import { futureTime } from '../future-time.js';
import { operation, OperationRefused } from '../operation.js';
import { refused } from '../refused.js';
import { subjectOf } from '../subject-of.js';
import { MAX_PAIRS } from './max-pairs.js';
import { PairCreation, type CreatedPair } from './pair-shapes.js';

export const CREATE_PAIR = operation({
  call: 'POST /apps/:app/:env/pairs',
  roles: ['operator', 'app'],
  level: 'reveal',
  input: PairCreation,
  recorded: ({ app, env, label, scopes, share_percent: rate }) => ({
    action: 'clients create',
    subject: subjectOf([app], { environment: env, label, scope: scopes, rate }),
  }),
  run: async ({ service, person, now }, { app, env, ...given }): Promise<CreatedPair> => {
    const tenant = tenantOf({ app, env });
    const endsAt = futureTime(given.ends_at, now());
    await refuseTooMany(service, tenant);
    const { pair, clientSecret } = await createPair(service, {
      ...tenant,
      label: given.label ?? null,
      scopes: given.scopes ?? null,
      restriction: null,
      endsAt,
      sharePercent: given.share_percent ?? null,
      liveLimit: liveLimitFor(person, tenant),
    }).catch(refused);
    return { client_id: pair.clientId, client_secret: clientSecret };
  },
});

/**
 * Every key pair has a number of Live links of its own, which operators decide: without this, an app could raise it by
 * further pairs.
 */
function liveLimitFor({ role }: Person, { environment }: Tenant): number | undefined {
  return role === 'app' && environment === 'live' ? 0 : undefined;
}

async function refuseTooMany(
  { database }: Pick<Service, 'database'>,
  { appId, environment }: Tenant,
): Promise<void> {
  const pairs = await database.prisma.apiClient.findMany({
    where: { appId, environment },
    select: { clientId: true },
    take: MAX_PAIRS,
  });
  if (pairs.length < MAX_PAIRS) return;
  throw new OperationRefused(
    409,
    'console.too_many_pairs',
    `The app has ${MAX_PAIRS} key pairs in this environment. An operator may create more with clients create.`,
  );
}
