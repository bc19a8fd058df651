import type { INestApplicationContext } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import { SigningKeys } from '../../../../prisma/base/keys/signing-key.repository.js';
import { MasterKeyRepository } from '../../../../prisma/base/master-keys/master-key.repository.js';
import { PlaidWebhookKeys } from '../../../../prisma/views/plaid/plaid-webhook-keys.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import { reportMasterKeys } from '../../../platform/src/database/report-master-keys.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import { prepareWhenReady } from '../../../platform/src/process/prepare-when-ready.js';
import { Preparation } from './preparation.js';

export interface PrepareOptions {
  checks: readonly HealthCheck[];
  logger: Logger;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
  /** Stops the started parts. */
  closers: (() => unknown)[];
}

/**
 * Prepares the process for its calls. Resolves when it is prepared, or when it has to wait for a critical part: it then
 * continues in the background until the part is up.
 */
export async function prepareInTime(
  app: INestApplicationContext,
  { checks, logger, stopping, closers }: PrepareOptions,
): Promise<void> {
  const masterKeys = new MasterKeyRepository(app.get<Context>(DATABASE_CONTEXT));
  await new Promise<void>((resolve, reject) => {
    const preparing = prepareWhenReady({
      checks: checks.filter(({ critical }) => critical),
      prepare: () =>
        Promise.all([
          app.get(SigningKeys).ensure(),
          app.get(PlaidWebhookKeys).ensure(),
          app.get(CursorKeys).ensure(),
        ]),
      // Log: every part is up, but data that the start needs, such as signing keys, could not be stored; tried every second.
      onError: (err) => logger.warn({ err }, 'database.waiting'),
      onWait: resolve,
      stopping,
    }).then((isPrepared) => {
      if (!isPrepared || stopping.aborted) return;
      const reports = reportMasterKeys(masterKeys, logger);
      closers.push(() => reports.stop());
      app.get(Preparation).isDone = true;
    });
    closers.push(() => preparing);
    preparing.then(resolve, reject);
  });
}
