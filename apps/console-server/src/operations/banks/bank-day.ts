import { z } from 'zod';
import {
  readBankActivity,
  type EndedAttempt,
} from '../../../../../prisma/operations/standing/bank-day.js';
import { sideOfCause } from '../../../../operator/src/timeline/failed-login.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation } from '../operation.js';
import { requireApp } from '../own-rows.js';
import type { BankDay } from './bank-answers.js';
import { byHour, hoursUntil } from './by-hour.js';

export const BANK_DAY = operation({
  call: 'GET /apps/:app/:env/banks/:institution_id/day',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({ ...APP_INPUT, institution_id: id }),
  run: async (
    { service, now: clock },
    { institution_id: institutionId, ...app },
  ): Promise<BankDay> => {
    const tenant = tenantOf(app);
    await requireApp(service, tenant);
    const known = await service.database.prisma.institution.findUnique({
      where: { institutionId },
      select: { institutionId: true },
    });
    if (known === null) throw unknown('institution_error.not_found');
    const now = clock();
    const hours = hoursUntil(now);
    const [since = now] = hours;
    const read = await readBankActivity(
      service.database,
      { tenant, institutionId },
      { since, now },
    );
    return {
      hours: byHour(hours, read.attempts, ({ createdAt }) => createdAt).map(({ hour, items }) => ({
        hour: hour.toISOString(),
        ...count(items.map(resultOf), { ok: 0, failed: 0, left: 0 }),
      })),
      refreshes: byHour(hours, read.refreshes, ({ at }) => at).map(({ hour, items }) => ({
        hour: hour.toISOString(),
        ...count(
          items.map(({ isFailed }) => (isFailed ? 'failed' : 'ok')),
          { ok: 0, failed: 0 },
        ),
      })),
      sessions_counted: read.sessionsRead,
      links_counted: read.linksRead,
      is_cut: read.isCut,
    };
  },
});

/** A login that its user caused to fail tells nothing of the bank. */
function resultOf({ isLinked, failedCauses }: EndedAttempt): 'ok' | 'failed' | 'left' {
  if (isLinked) return 'ok';
  return failedCauses.some((cause) => sideOfCause(cause) !== 'user') ? 'failed' : 'left';
}

function count<Name extends string>(
  names: readonly Name[],
  none: Record<Name, number>,
): Record<Name, number> {
  const counts = { ...none };
  for (const name of names) counts[name] += 1;
  return counts;
}
