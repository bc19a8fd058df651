import { apiOfFile } from '../../support/services/api-of-file.js';
import { lossless } from './support/lossless-run.js';

apiOfFile();

it('Two listeners each receive 10,000 events once, over lost connections and a restarted API', async () => {
  const { log, heard } = await lossless(10_000);
  expect(log).toHaveLength(10_000);
  expect(heard).toEqual([log, log]);
}, 600_000);
