import { ForeignDatabase } from '../../../prisma/base/database/database-identity.js';
import { watchIdentity } from '../../../apps/platform/src/database/watch-identity.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { eventually } from '../../support/assertions/eventually.js';

describe('The watch over the identity of the database', () => {
  it('logs each change once and reports a foreign database once, whatever else fails', async () => {
    const answers = [
      null,
      new ForeignDatabase(['timeline']),
      new ForeignDatabase(['timeline']),
      new Error('Connection terminated'),
      new ForeignDatabase(['timeline']),
      null,
    ];
    let asked = 0;
    const lines: { msg: string }[] = [];
    const reported: unknown[] = [];
    const watch = watchIdentity({
      database: {
        checkIdentity: async () => {
          const answer = answers[Math.min(asked, answers.length - 1)];
          asked += 1;
          if (answer) throw answer;
        },
      },
      logger: createLogger({
        name: 'watch-tests',
        level: 'info',
        format: 'json',
        destination: { write: (line: string) => lines.push(JSON.parse(line) as { msg: string }) },
      }),
      onForeign: (error) => reported.push(error),
    });
    await eventually(() => {
      watch.wake();
      expect(asked).toBeGreaterThanOrEqual(answers.length);
    });
    await watch.stop();
    expect(lines.map(({ msg }) => msg)).toEqual([
      'database.identity_foreign',
      'database.identity_adopted',
    ]);
    expect(reported).toEqual([answers[1]]);
  });
});
