import { createContext } from '../../../../prisma/base/context.js';
import { openDatabase } from '../../../../prisma/base/database/database.js';
import { setupProblem } from '../../../../prisma/base/database/database-failures.js';
import { ApplicationRepository } from '../../../../prisma/tenants/applications/application.repository.js';
import {
  MasterKeyRepository,
  MasterKeysRefused,
} from '../../../../prisma/base/master-keys/master-key.repository.js';
import { Sealer } from '../../../../prisma/base/sealing/sealer.js';
import { hashClientSecret } from '../../../../prisma/tenants/applications/client-secret.js';
import type { MasterKey } from '../../../platform/src/config/setting-parsers.js';
import type { StoredSecrets } from '../data-folder/stored-secrets.js';
import { StartFailure } from '../start-failure.js';

const LIVE_LIMIT = 10;

/**
 * Writes the apps of the data folder into the database where they are missing. @throws StartFailure
 * when the database has other keys for them, or was sealed with other master keys, or cannot be used in its current setup
 */
export async function ensureApps(
  apps: StoredSecrets['apps'],
  { databaseUrl, masterKeys }: { databaseUrl: string; masterKeys: readonly MasterKey[] },
): Promise<void> {
  const database = openDatabase({
    url: databaseUrl,
    name: 'tributary-standalone',
    maxConnections: 2,
    onError: () => undefined,
  });
  try {
    const context = createContext(database, new Sealer(masterKeys));
    await new MasterKeyRepository(context).check();
    const applications = new ApplicationRepository(context);
    for (const app of apps) {
      const existing = await applications.getApplication(app.app_id);
      if (existing === null) await createApp(applications, app);
      else await refuseForeignKeys(applications, app);
    }
  } catch (error) {
    const problem = error instanceof MasterKeysRefused ? error.message : setupProblem(error);
    throw problem === null ? error : new StartFailure(problem);
  } finally {
    await database.close();
  }
}

async function createApp(
  applications: ApplicationRepository,
  app: StoredSecrets['apps'][number],
): Promise<void> {
  const environments = ['sandbox', 'live'] as const;
  const clients = environments.map((environment) => ({
    clientId: app[environment].client_id,
    environment,
    secretHash: hashClientSecret(app[environment].client_secret),
    liveLimit: LIVE_LIMIT,
  }));
  await applications.createApplication({
    appId: app.app_id,
    name: app.name,
    clients,
    redirectOrigins: [],
    pageOrigins: [],
  });
}

async function refuseForeignKeys(
  applications: ApplicationRepository,
  app: StoredSecrets['apps'][number],
): Promise<void> {
  if ((await applications.findClient(app.sandbox.client_id)) !== null) return;
  throw new StartFailure(
    `The database has an app "${app.app_id}" with keys this data folder does not know. ` +
      'Use the data folder that belongs to this database, or name an empty database in DATABASE_URL.',
  );
}
