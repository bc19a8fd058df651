import { APP_BOUNDS } from '../../../../../domain/limits/app-bounds.js';
import type { BoundUse } from '../../../../../prisma/tenants/usage/app-use.repository.js';

/** The use of a bound as `apps show` prints it. */
export function presentBound({ environment, bound, used, max, isOwn }: BoundUse) {
  return {
    environment,
    bound,
    used,
    limit: max,
    counted: APP_BOUNDS[bound].kind === 'held' ? ('now' as const) : ('today' as const),
    set_by: isOwn ? 'apps limit' : APP_BOUNDS[bound].setting,
  };
}
