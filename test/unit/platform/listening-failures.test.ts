import { logListeningFailures } from '../../../apps/platform/src/database/listening-failures.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';

const MINUTE_MS = 60_000;

it('Each cause of failed listening is logged at once, and once a minute while it lasts', () => {
  const lines: { msg: string; err: { message: string } }[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  let now = 0;
  const failed = logListeningFailures(logger, () => now);
  for (; now < MINUTE_MS; now += 1_000) failed(new Error('connect ECONNREFUSED'));
  expect(lines).toHaveLength(1);
  failed(new Error('the database system is starting up'));
  failed(new Error('connect ECONNREFUSED'));
  expect(lines.map(({ msg, err }) => [msg, err.message])).toEqual([
    ['database.listening_failed', 'connect ECONNREFUSED'],
    ['database.listening_failed', 'the database system is starting up'],
    ['database.listening_failed', 'connect ECONNREFUSED'],
  ]);
});
