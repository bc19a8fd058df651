import type { Service } from '../../service.js';
import { Refusal } from '../refusal.js';

/** The routes of an institution as `routes explain` prints them. @throws Refusal */
export async function explainRoutes({ routes }: Pick<Service, 'routes'>, institutionId: string) {
  const found = await routes.explain(institutionId);
  if (found === null)
    throw new Refusal(
      'unknown',
      'institution_not_found',
      `There is no institution ${institutionId}.`,
    );
  return found.map(({ lastOkAt, lastCause, ...route }) => ({
    ...route,
    last_ok_at: lastOkAt?.toISOString() ?? null,
    last_cause: lastCause,
  }));
}
