import { departureOf } from '../../../apps/operator/src/commands/keys/master-key-departure.js';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';
import type { MasterKeyUse } from '../../../prisma/base/master-keys/master-key.repository.js';

const NOW = new Date('2026-11-25T12:00:00Z');
const NONE = { data_keys: 0, signing_keys: 0, cursor_keys: 0, idempotency_records: 0 };
const DAY_MS = 24 * 3_600_000;

const use = (over: Partial<MasterKeyUse> = {}): MasterKeyUse => ({
  keyId: 'k1',
  place: 'older',
  rows: NONE,
  lastCurrentAt: new Date('2026-11-24T10:00:00Z'),
  ...over,
});

const departure = (over: Partial<MasterKeyUse>, count = 0) =>
  departureOf(use(over), {
    now: NOW,
    histories: async () => ({ count, retentionMs: 3 * DAY_MS }),
  });

describe('A master key', () => {
  it.each<[string, Partial<MasterKeyUse>, number, string]>([
    ['seals new values', { place: 'current' }, 0, 'it seals new values'],
    [
      'still seals rows',
      { rows: { ...NONE, data_keys: 2, cursor_keys: 1 } },
      0,
      'it still seals 3 rows: run "keys master rewrap"',
    ],
    [
      'was used a minute ago by a process',
      { lastCurrentAt: new Date(NOW.getTime() - 60_000) },
      0,
      'a process used it for new values in the last two minutes: restart every process with the current key first',
    ],
    [
      'may have encrypted histories that Temporal keeps',
      {},
      7,
      '7 workflow histories began before 2026-11-24T10:02:00.000Z; Temporal keeps them for 3 days after their end, so at least until 2026-11-27T10:02:00.000Z',
    ],
  ])('may not be removed while it %s', async (_what, over, count, reason) => {
    expect(await departure(over, count)).toEqual({ mayLeave: false, reason });
  });

  it('may be removed when neither rows nor histories need it', async () => {
    expect(await departure({})).toEqual({ mayLeave: true, reason: 'nothing needs it' });
  });

  it('may be removed when it was never current', async () => {
    expect(await departure({ lastCurrentAt: null }, 7)).toMatchObject({ mayLeave: true });
  });

  it('may not be removed while Temporal cannot be queried', async () => {
    const histories = () => Promise.reject(new CommandFailure('The server does not respond.'));
    expect(await departureOf(use(), { now: NOW, histories })).toEqual({
      mayLeave: false,
      reason: 'the workflow histories could not be counted: The server does not respond.',
    });
  });
});
