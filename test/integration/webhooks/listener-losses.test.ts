import { apiOfFile } from '../../support/services/api-of-file.js';
import { lossless } from './support/lossless-run.js';

apiOfFile();

it('Two listeners each receive every event once, over lost connections and a restarted API', async () => {
  const { log, heard } = await lossless(100);
  expect(log).toHaveLength(100);
  expect(heard).toEqual([log, log]);
});
