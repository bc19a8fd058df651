import { addDays } from '../../../../domain/api/timestamps.js';
import { sandbox } from '../../../support/fixtures/sandbox-service.js';
import type { CreatedToken } from './finance-app.js';

const START = '2026-03-02';
export const FAILING_BANK = 'sandbox-instant-bank';

/** The days of a month that are behind a user, and two months before. */
export interface ReadWindow {
  start: string;
  end: string;
}

export const newSetupToken = async (user: string): Promise<string> =>
  (await sandbox.ask<CreatedToken>('POST', `/users/${user}/simplefin-tokens`, {})).setup_token;

/**
 * A month in which rows are authorized, posted, amended and withdrawn, and a bank fails for some
 * days, seen on every third day.
 */
export async function liveThroughAMonth(
  user: string,
  seen: (window: ReadWindow) => Promise<void>,
): Promise<void> {
  const { world_id: worldId } = await sandbox.world({
    name: user,
    start: `${START}T00:00:00`,
    seed: 11,
  });
  const customer_user = { id: user };
  const { link_id: linkId } = await sandbox.link({ world_id: worldId, customer_user });
  await sandbox.link({ world_id: worldId, institution_id: FAILING_BANK, customer_user });
  const events: Record<number, () => Promise<unknown>> = {
    3: () =>
      sandbox.script(linkId, [
        { verb: 'authorize', ref: 'lunch', amount: 9.1, description: 'Lunch' },
        { verb: 'authorize', ref: 'hotel', amount: 120, description: 'Hotel' },
      ]),
    6: () => sandbox.script(linkId, [{ verb: 'post', ref: 'lunch', amount: 11.35 }]),
    9: () => sandbox.script(linkId, [{ verb: 'drop', ref: 'hotel' }]),
    15: () =>
      // Every refresh until day 21.
      sandbox.fault(FAILING_BANK, {
        world_id: worldId,
        operation: 'transactions',
        kind: 'server_error',
        count: null,
      }),
    18: () => sandbox.script(linkId, [{ verb: 'reverse', ref: 'lunch' }]),
    21: () => liftFaults(worldId),
  };
  for (let day = 0; day <= 30; day += 3) {
    if (day > 0) await sandbox.advance(worldId, { by: 'P3D' });
    await events[day]?.();
    await seen({ start: addDays(START, -60), end: addDays(START, day) });
  }
}

async function liftFaults(worldId: string): Promise<void> {
  const { faults } = await sandbox.ask<{ faults: { fault_id: string; world_id: string }[] }>(
    'GET',
    `/sandbox/institutions/${FAILING_BANK}/faults`,
  );
  for (const { fault_id: id, world_id: world } of faults)
    if (world === worldId) await sandbox.ask('DELETE', `/sandbox/faults/${id}`);
}
