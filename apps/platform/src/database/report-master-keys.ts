import type { MasterKeyRepository } from '../../../../prisma/base/master-keys/master-key.repository.js';
import type { Logger } from '../logging/logger.js';
import { PollLoop } from '../process/poll-loop.js';

/** `keys master list` relies on it: a key whose last report is two minutes old is not in use. */
const REPORTED_EVERY_MS = 60_000;

/** Reports the master key that a process seals with, for as long as it runs. */
export function reportMasterKeys(masterKeys: MasterKeyRepository, logger: Logger): PollLoop {
  const reports = new PollLoop({
    work: async () => {
      await masterKeys.check();
      return false;
    },
    pollMs: REPORTED_EVERY_MS,
    onError: (err) => logger.warn({ err }, 'master_keys.not_reported'),
  });
  reports.start();
  return reports;
}
