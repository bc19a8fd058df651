import { startEventLog } from './support/event-log-stage.js';
import { lossless } from './support/lossless-run.js';

startEventLog();

it('Two listeners each receive every event once, over lost connections and a restarted API', async () => {
  const { log, heard } = await lossless(100);
  expect(log).toHaveLength(100);
  expect(heard).toEqual([log, log]);
});
