import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type Provider from 'oidc-provider';
import type { SettingsOf } from '../../apps/platform/src/config/settings.js';
import type { Logger } from '../../apps/platform/src/logging/logger.js';
import { createBank, type Bank } from './bank.js';
import { limitRequests } from './http/limit-requests.js';
import { createRequestListener } from './http/request-listener.js';
import { requireSecret } from './http/require-secret.js';
import { createRouteMatcher, type Routes } from './http/route.js';
import { createAuthorizationServer } from './oauth/authorization-server.js';
import { createPagesListener } from './oauth/pages-listener.js';
import { createSignInHandler } from './oauth/sign-in-handler.js';
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
  const listeners = createListeners(bank, settings, {
    logger,
    database,
    authorizationServer: () => authorizationServer,
  });
  const servers = {
    public: createServer(SERVER_LIMITS, listeners.public),
    control: createServer(SERVER_LIMITS, listeners.control),
  };
  const closeServers = () => Promise.all(Object.values(servers).map(closeServer));
  try {
    await listen(servers.public, settings.sandboxBankPort, settings.sandboxBankHost);
    await listen(servers.control, settings.sandboxBankControlPort, settings.sandboxBankControlHost);
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

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
  await closed;
  clearTimeout(deadline);
}

interface ListenerParts {
  logger: Logger;
  database: Database;
  /** Null until the database is ready. */
  authorizationServer: () => Provider | null;
}

/**
 * All browsers and OAuth clients reach the pages and the OAuth server; the worker, which has
 * the secret, reaches these and the API.
 */
function createListeners(
  bank: Bank,
  settings: Settings,
  { logger, database, authorizationServer }: ListenerParts,
): { public: RequestListener; control: RequestListener } {
  const healthRoutes: Routes = {
    'GET /health/live': () => Promise.resolve({ status: 200, body: { status: 'ok' } }),
    'GET /health/ready': async () => {
      const hasTables = await database.query('select 1 from sandbox_bank.world limit 1').then(
        () => true,
        () => false,
      );
      return hasTables && authorizationServer() !== null
        ? { status: 200, body: { status: 'ok' } }
        : {
            status: 503,
            body: { status: 'unavailable', failing: ['database'] },
            headers: { 'retry-after': '1' },
          };
    },
  };
  const apiRoutes: Routes = {
    ...healthRoutes,
    ...connectionRoutes(bank),
    ...loginRoutes(bank),
    ...dataRoutes(bank),
    ...faultRoutes(bank),
  };
  const pages = createPagesListener({
    authorizationServer,
    signIn: createSignInHandler(bank),
    logger,
  });
  const health = createRequestListener(createRouteMatcher(healthRoutes), logger);
  const api = createRequestListener(createRouteMatcher(apiRoutes), logger);
  const withPages =
    (others: RequestListener): RequestListener =>
    (incoming, response) =>
      (pages(pathOf(incoming)) ?? others)(incoming, response);
  const limited = limitRequests(settings, withPages(health));
  // with buckets of its own: a health check is never refused because of browser requests
  const limitedHealth = limitRequests(settings, health);
  return {
    public: (incoming, response) =>
      (pathOf(incoming).startsWith('/health/') ? limitedHealth : limited)(incoming, response),
    control: requireSecret(settings.sandboxBankSecret, withPages(api)),
  };
}

const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? '/';
