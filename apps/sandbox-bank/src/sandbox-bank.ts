import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createRequestListener } from './http/request-listener.js';
import { createRouteMatcher } from './http/route.js';
import { createConnectionRoute } from './routes/create-connection.js';
import { liveRoute, readyRoute } from './routes/health.js';
import { listAccountsRoute } from './routes/list-accounts.js';
import { listTransactionsRoute } from './routes/list-transactions.js';
import { revokeConnectionRoute } from './routes/revoke-connection.js';
import { prepareSchemaWhenPossible } from './schema-preparation.js';
import type { SandboxBankSettings } from './settings.js';
import { createConnectionStore } from './storage/connections.js';
import { openDatabase } from './storage/database.js';

/** Requests under way get this long when the bank closes. */
const CLOSE_WITHIN_MS = 8_000;

export interface RunningSandboxBank {
  port: number;
  close(): Promise<void>;
}

export async function startSandboxBank(
  { host, port, databaseUrl }: Pick<SandboxBankSettings, 'host' | 'port' | 'databaseUrl'>,
  { logger, now }: { logger: Logger; now: () => Date },
): Promise<RunningSandboxBank> {
  const database = openDatabase(databaseUrl, logger);
  const connections = createConnectionStore(database);
  const matchRoute = createRouteMatcher([
    liveRoute(),
    readyRoute(async () => void (await database.query('select 1 from sandbox_bank.world limit 1'))),
    createConnectionRoute(connections),
    listAccountsRoute(connections, now),
    listTransactionsRoute(connections, now),
    revokeConnectionRoute(connections),
  ]);
  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    createRequestListener(matchRoute, logger),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const stopping = new AbortController();
  const preparation = prepareSchemaWhenPossible(database, logger, stopping.signal);

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(deadline);
      await preparation;
      await database.close();
    },
  };
}
