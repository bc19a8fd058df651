import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createContext } from '../../../prisma/context.js';
import { openDatabase } from '../../../prisma/database.js';
import { CursorKeys } from '../../../prisma/repositories/cursor-key.repository.js';
import { SigningKeys } from '../../../prisma/repositories/signing-key.repository.js';
import { Sealer } from '../../../prisma/sealing/sealer.js';
import type { ApiSettings } from '../../platform/src/config/settings.js';
import type { HealthCheck } from '../../platform/src/health/health-check.js';
import { startOperatorServer } from '../../platform/src/health/operator-server.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { openTemporalClient } from '../../platform/src/temporal/temporal-client.js';
import { ApiModule } from './api.module.js';
import { SessionNotifications } from './connect/session-notifications.js';
import { TemporalSessionWorkflows, type SessionWorkflows } from './connect/session-workflows.js';
import { drain } from './drain.js';
import { createHttpApplication } from './http/http-application.js';
import { RequestMetrics } from './http/request-metrics.js';

export interface RunningApi {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  url: string;
  /** Stops in order: waiting calls answer, requests finish, pools close. */
  close(): Promise<void>;
}

export interface StartApiOptions {
  settings: ApiSettings;
  logger: Logger;
  /** Replaces Temporal, in tests. */
  workflows?: SessionWorkflows;
}

/** A step answers within the soft reply; what is still open then is answered with the step as it is. */
const REPLY_MARGIN_MS = 5_000;

/** Starts the API and answers when it listens. Port 0 takes a free port. */
export async function startApi({ settings, logger, workflows }: StartApiOptions): Promise<RunningApi> {
  const stopping = new AbortController();
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    stopping.abort();
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const database = openDatabase({ url: settings.databaseUrl, name: 'tributary-api', maxConnections: 20, onError: (err) => logger.warn({ err }, 'database.connection_lost') });
    closers.push(() => database.close());
    const temporal = openTemporalClient({ address: settings.temporalAddress, namespace: settings.temporalNamespace, masterKeys: settings.masterKeys });
    closers.push(() => temporal.close());
    const { client } = temporal;
    const notifications = new SessionNotifications({ url: settings.databaseUrl, logger });
    closers.push(() => notifications.close());
    notifications.start();

    const checks: HealthCheck[] = [
      { part: 'database', critical: true, check: () => database.ping() },
      { part: 'temporal', critical: false, check: async () => { await client.withDeadline(Date.now() + 2_000, () => client.workflowService.getSystemInfo({})); } },
    ];
    const metrics = new RequestMetrics();
    const operator = await startOperatorServer({ port: settings.metricsPort, registry: metrics.registry, checks });
    closers.push(() => operator.close());

    const module = ApiModule.with({
      settings,
      logger,
      context: createContext(database, new Sealer(settings.masterKeys)),
      workflows: workflows ?? new TemporalSessionWorkflows({ client, softReplyMs: settings.connectSoftReply, deadlineMs: settings.connectSoftReply + REPLY_MARGIN_MS, stopping: stopping.signal }),
      notifications,
      checks,
      stopping: stopping.signal,
    });
    const app = await createHttpApplication(module, { settings, logger, metrics });
    closers.push(() => app.close());
    await app.init();
    await Promise.all([app.get(SigningKeys).ensure(), app.get(CursorKeys).ensure()]);
    const server: Server = app.getHttpServer();
    closers.push(() => drain(server));
    server.listen(settings.apiPort, settings.apiHost);
    await once(server, 'listening');
    const { address, family, port } = server.address() as AddressInfo;
    const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    logger.info({ url }, 'api.listening');
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
