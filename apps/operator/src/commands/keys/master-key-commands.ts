import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import type { CommandService, OperatorCommand } from '../../operator-command.js';
import { countHistories, departureOf } from './master-key-departure.js';

export const MASTER_KEY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'keys master list',
    help: 'list the keys, how many values each has sealed, and which may be removed from MASTER_KEYS',
    examples: ['keys master list'],
    recorded: false,
    run: list,
  },
  {
    name: 'keys master rewrap',
    help: 'reseal the values of older keys with the current one, while the service runs; run it again if it was interrupted',
    examples: ['keys master rewrap'],
    recorded: true,
    run: rewrapAll,
  },
];

async function list({ masterKeys, temporal, output }: CommandService) {
  const now = new Date();
  const histories = async (until: Date) => countHistories(await temporal(), until);
  const entries = await Promise.all(
    (await masterKeys.list()).map(async (use) => {
      const { mayLeave, reason } = await departureOf(use, { now, histories });
      return {
        key_id: use.keyId,
        place: use.place,
        ...use.rows,
        last_current_at: use.lastCurrentAt?.toISOString() ?? null,
        may_leave: mayLeave,
        reason,
      };
    }),
  );
  output.value(entries, () =>
    table(entries.map((entry) => ({ ...entry, may_leave: entry.may_leave ? 'yes' : 'no' }))),
  );
}

async function rewrapAll({ masterKeys, rewrap, output }: CommandService) {
  const { rows, unreadable } = await rewrap();
  const left = Object.fromEntries(
    (await masterKeys.list())
      .filter(({ place }) => place !== 'current')
      .map((use) => [use.keyId, Object.values(use.rows).reduce((sum, count) => sum + count, 0)]),
  );
  const lines = [
    ...Object.entries(rows).map(([name, count]) => `${name}: ${count} sealed again`),
    ...Object.entries(left).map(([keyId, count]) => `rows that still need "${keyId}": ${count}`),
  ];
  output.value({ rewrapped: rows, left, unreadable }, () => lines.join('\n'));
  if (unreadable.length > 0)
    throw new CommandFailure(
      `${unreadable.length} values can be opened by no key, and stay as they are: ${unreadable.slice(0, 20).join(', ')}${unreadable.length > 20 ? ' …' : ''}.`,
    );
}
