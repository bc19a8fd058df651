import { startEventLog } from './support/event-log-stage.js';
import { lossless } from './support/lossless-run.js';

startEventLog();

it('Two listeners each receive 10,000 events once, over lost connections and a restarted API', async () => {
  const { log, heard } = await lossless(10_000);
  expect(log).toHaveLength(10_000);
  expect(heard).toEqual([log, log]);
}, 600_000);
