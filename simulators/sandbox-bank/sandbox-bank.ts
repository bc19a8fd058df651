import type Provider from 'oidc-provider';
import type { SettingsOf } from '../../apps/platform/src/config/settings.js';
import type { Logger } from '../../apps/platform/src/logging/logger.js';
import { createListener } from '../http/listener.js';
import type { Handler, Routes } from '../http/routes.js';
import { openServer, type OpenServer } from '../http/server.js';
import { createBank, type Bank } from './bank.js';
import { limitRequests } from './http/limit-requests.js';
import { requireSecret } from './http/require-secret.js';
import { serveBank } from './http/serve-bank.js';
import { createAuthorizationServer } from './oauth/authorization-server.js';
import { pageRoutes } from './oauth/page-routes.js';
import { prepareWhenPossible } from './preparation.js';
import { connectionRoutes } from './routes/connection-routes.js';
import { dataRoutes } from './routes/data-routes.js';
import { faultRoutes } from './routes/fault-routes.js';
import { loginRoutes } from './routes/login-routes.js';
import { openDatabase, type Database } from './storage/database.js';
import { sweepExpiredRows } from './storage/expired-rows.js';
import { prepareSchema } from './storage/schema.js';

/** The time for requests in progress when the bank closes. */
const CLOSE_WITHIN_MS = 8_000;
const SERVER_LIMITS = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
};

type Settings = SettingsOf<'sandbox-bank'>;

/** Starts the bank. @returns a function that closes it */
export async function startSandboxBank(
  settings: Settings,
  logger: Logger,
): Promise<() => Promise<void>> {
  const database = openDatabase(settings.sandboxBankDatabaseUrl, logger);
  const stopping = new AbortController();
  const bank = createBank(database, {
    delayFactor: settings.sandboxBankDelayFactor,
    now: () => settings.sandboxBankNow ?? new Date(),
    stopping: stopping.signal,
  });
  let authorizationServer: Provider | null = null;
  const doors = createDoors(bank, settings, {
    logger,
    database,
    authorizationServer: () => authorizationServer,
  });
  const servers: OpenServer[] = [];
  const closeServers = () => Promise.all(servers.map(({ close }) => close(CLOSE_WITHIN_MS)));
  try {
    for (const { handle, host, port } of doors) {
      const listener = createListener(handle, (error) =>
        logger.error({ err: error }, 'sandbox_bank.answer_failed'),
      );
      servers.push(await openServer(listener, { host, port, limits: SERVER_LIMITS }));
    }
  } catch (error) {
    await closeServers();
    await database.close();
    throw error;
  }
  const preparation = prepareWhenPossible(
    async () => {
      await prepareSchema(database);
      authorizationServer = await createAuthorizationServer({
        issuer: new URL(settings.sandboxBankPublicUrl).origin,
        registrationToken: settings.sandboxBankSecret,
        database,
        logger,
      });
    },
    logger,
    stopping.signal,
  );
  const sweeper = sweepExpiredRows(database, {
    retentionMs: settings.sandboxBankRetention,
    logger,
    from: preparation,
  });
  return async () => {
    stopping.abort();
    sweeper.stop();
    await closeServers();
    await preparation;
    await database.close();
  };
}

interface DoorParts {
  logger: Logger;
  database: Database;
  /** Null until the database is ready. */
  authorizationServer: () => Provider | null;
}

/**
 * All browsers and OAuth clients reach the pages and the OAuth server; the worker, which has
 * the secret, reaches these and the API.
 */
function createDoors(
  bank: Bank,
  settings: Settings,
  { logger, database, authorizationServer }: DoorParts,
): { handle: Handler; host: string; port: number }[] {
  const healthRoutes: Routes = {
    'GET /health/live': () => ({ status: 200, json: { status: 'ok' } }),
    'GET /health/ready': async () => {
      const hasTables = await database.query('select 1 from sandbox_bank.world limit 1').then(
        () => true,
        () => false,
      );
      return hasTables && authorizationServer() !== null
        ? { status: 200, json: { status: 'ok' } }
        : {
            status: 503,
            json: { status: 'unavailable', failing: ['database'] },
            headers: { 'retry-after': '1' },
          };
    },
  };
  const publicRoutes = { ...pageRoutes(bank, authorizationServer), ...healthRoutes };
  const api = {
    ...publicRoutes,
    ...connectionRoutes(bank),
    ...loginRoutes(bank),
    ...dataRoutes(bank),
    ...faultRoutes(bank),
  };
  const open = serveBank(publicRoutes, logger);
  const limited = limitRequests(settings, open);
  // with buckets of its own: a health check is never refused because of browser requests
  const limitedHealth = limitRequests(settings, open);
  return [
    {
      handle: (request) => (request.path.startsWith('/health/') ? limitedHealth : limited)(request),
      host: settings.sandboxBankHost,
      port: settings.sandboxBankPort,
    },
    {
      handle: requireSecret(settings.sandboxBankSecret, serveBank(api, logger)),
      host: settings.sandboxBankControlHost,
      port: settings.sandboxBankControlPort,
    },
  ];
}
