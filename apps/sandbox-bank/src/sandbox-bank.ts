import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import type { Logger } from 'pino';
import { limitRequests } from './http/limit-requests.js';
import { createPagesListener } from './oauth/pages-listener.js';
import { createRequestListener } from './http/request-listener.js';
import { requireSecret } from './http/require-secret.js';
import { createRouteMatcher, type Route } from './http/route.js';
import { createLoginDesk } from './logins/login-desk.js';
import { createAuthorizationServer } from './oauth/authorization-server.js';
import { createSignInHandler } from './oauth/sign-in-handler.js';
import { createPause } from './pause.js';
import { answerLoginRoute, readLoginRoute } from './routes/answer-login.js';
import { createFaultGate } from './faults/fault-gate.js';
import {
  createFaultRoute,
  forgetWorldRoute,
  liftFaultRoute,
  listFaultsRoute,
  readFaultRoute,
} from './routes/change-faults.js';
import { createConnectionRoute } from './routes/create-connection.js';
import { createLoginRoute } from './routes/create-login.js';
import { liveRoute, readyRoute } from './routes/health.js';
import {
  listAccountNumbersRoute,
  listAccountsRoute,
  listOwnersRoute,
} from './routes/list-accounts.js';
import { listTransactionsRoute } from './routes/list-transactions.js';
import {
  endConnectionRoute,
  readConnectionRoute,
  revokeConnectionRoute,
} from './routes/revoke-connection.js';
import { runScriptRoute } from './routes/run-script.js';
import { signInRoute } from './routes/sign-in.js';
import { prepareWhenPossible } from './preparation.js';
import type { SandboxBankSettings } from './settings.js';
import { createChangingHistoryStore } from './transactions/changing-histories.js';
import { createConnectionStore } from './customers/connection-store.js';
import { openDatabase, type Database } from './storage/database.js';
import { sweepExpiredRows } from './storage/expired-rows.js';
import { createFaultStore } from './faults/fault-store.js';
import { createLoginStore } from './logins/login-store.js';
import { prepareSchema } from './storage/schema.js';
import { createScriptedHistoryStore } from './transactions/scripted-histories.js';
import { createWorldStore } from './storage/worlds.js';

/** The time for requests in progress when the bank closes. */
const CLOSE_WITHIN_MS = 8_000;
const SERVER_LIMITS = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
};

export interface RunningSandboxBank {
  port: number;
  controlPort: number;
  close(): Promise<void>;
}

export type SandboxBankOptions = Omit<SandboxBankSettings, 'fixedNow' | 'logLevel' | 'logFormat'>;

export async function startSandboxBank(
  options: SandboxBankOptions,
  { logger, now }: { logger: Logger; now: () => Date },
): Promise<RunningSandboxBank> {
  const { databaseUrl, publicUrl, secret, retentionMs } = options;
  const database = openDatabase(databaseUrl, logger);
  const stopping = new AbortController();
  let authorizationServer: Provider | null = null;
  const parts = {
    logger,
    now,
    stopping: stopping.signal,
    authorizationServer: () => authorizationServer,
  };
  const listeners = createListeners(database, options, parts);
  const servers = {
    public: createServer(SERVER_LIMITS, listeners.public),
    control: createServer(SERVER_LIMITS, listeners.control),
  };
  const closeServers = () => Promise.all(Object.values(servers).map(closeServer));

  try {
    await listen(servers.public, options.port, options.host);
    await listen(servers.control, options.controlPort, options.controlHost);
  } catch (error) {
    await closeServers();
    await database.close();
    throw error;
  }
  const port = portOf(servers.public);
  const preparation = prepareWhenPossible(
    async () => {
      await prepareSchema(database);
      authorizationServer = await createAuthorizationServer({
        issuer: publicUrl ?? `http://127.0.0.1:${port}`,
        registrationToken: secret,
        database,
        logger,
      });
    },
    logger,
    stopping.signal,
  );
  const sweeper = sweepExpiredRows(database, { retentionMs, logger, from: preparation });

  return {
    port,
    controlPort: portOf(servers.control),
    async close() {
      stopping.abort();
      sweeper.stop();
      await closeServers();
      await preparation;
      await database.close();
    },
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

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

interface ListenerParts {
  logger: Logger;
  now: () => Date;
  stopping: AbortSignal;
  authorizationServer: () => Provider | null;
}

/**
 * Anyone's browsers and OAuth clients reach the pages and the OAuth server; the worker, which has
 * the secret, reaches these and the API.
 */
function createListeners(
  database: Database,
  options: Pick<SandboxBankOptions, 'delayFactor' | 'secret' | 'rateLimit' | 'trustedProxies'>,
  parts: ListenerParts,
): { public: RequestListener; control: RequestListener } {
  const { delayFactor } = options;
  const { logger, now, stopping, authorizationServer } = parts;
  const clock = (): Date => new Date();
  const connections = createConnectionStore(database);
  const logins = createLoginStore(database);
  const timing = { now, clock, delayFactor, pause: createPause(stopping) };
  const desk = createLoginDesk({ logins, connections, ...timing });
  const worlds = createWorldStore(database);
  const faults = createFaultStore(database);
  const scripts = createScriptedHistoryStore(database);
  const meetFaults = createFaultGate({ faults, ...timing });
  const announcement = { logins, worlds, meetFaults, clock };
  const data = { connections, meetFaults, now };
  const healthRoutes: Route[] = [
    liveRoute(),
    readyRoute(async () => {
      await database.query('select 1 from sandbox_bank.world limit 1');
      if (authorizationServer() === null) throw new Error('The authorization server is not ready.');
    }),
  ];
  const apiRoutes: Route[] = [
    ...healthRoutes,
    createConnectionRoute({ connections, worlds, meetFaults }),
    createLoginRoute({ ...announcement, desk }),
    signInRoute({ ...announcement, connections, ...timing }),
    readLoginRoute({ logins, desk }),
    answerLoginRoute({ logins, desk }),
    listAccountsRoute(data, scripts),
    listAccountNumbersRoute(data),
    listOwnersRoute(data),
    listTransactionsRoute(data, createChangingHistoryStore(database), scripts),
    readConnectionRoute(connections),
    runScriptRoute({ connections, scripts, now }),
    endConnectionRoute(connections),
    revokeConnectionRoute(connections),
    createFaultRoute({ faults, worlds }),
    listFaultsRoute({ faults }),
    readFaultRoute({ faults }),
    liftFaultRoute({ faults }),
    forgetWorldRoute({ worlds }),
  ];
  const pages = createPagesListener({
    authorizationServer,
    signIn: createSignInHandler({ logins, connections, ...timing }),
    logger,
  });
  const health = createRequestListener(createRouteMatcher(healthRoutes), logger);
  const api = createRequestListener(createRouteMatcher(apiRoutes), logger);
  const withPages =
    (others: RequestListener): RequestListener =>
    (incoming, response) =>
      (pages(pathOf(incoming)) ?? others)(incoming, response);
  const limited = limitRequests(options, withPages(health));
  // with buckets of its own: a health check is never refused because of browser requests
  const limitedHealth = limitRequests(options, health);
  return {
    public: (incoming, response) =>
      (pathOf(incoming).startsWith('/health/') ? limitedHealth : limited)(incoming, response),
    control: requireSecret(options.secret, withPages(api)),
  };
}

const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? '/';
