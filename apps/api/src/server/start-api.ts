import { once, setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { ChannelListener } from '../../../../prisma/base/database/channel-listener.js';
import type { DatabaseTimeouts } from '../../../../prisma/base/database/database.js';
import { SessionLocks } from '../../../../prisma/base/database/session-locks.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Context } from '../../../../prisma/base/context.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import { watchIdentity } from '../../../platform/src/database/watch-identity.js';
import { collectPoolMetrics } from '../../../platform/src/metrics/pool-metrics.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { startOperatorServer } from '../../../platform/src/process/operator-server.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { ApiModule } from './api.module.js';
import { builtConnectFolder } from '../connect/hosted/hosted-files.js';
import type { SessionWorkflows } from '../connect/session/session-workflows.js';
import { closeConnectionsAfter, drain } from './drain.js';
import { createHttpApplication } from './http-application.js';
import { prepareInTime } from './prepare-in-time.js';
import { RequestMetrics } from '../operator/request-metrics.js';
import { startCodec } from '../operator/start-codec.js';
import { endUnreadResponses, UNREAD_RESPONSE_MS } from './unread-responses.js';
import { HEALTH_CHECKS } from '../operator/health.controller.js';

export interface RunningApi {
  /** Its address, for example `http://127.0.0.1:4000`. */
  url: string;
  /** From now on the API is not ready and every response closes its connection; requests are served as before. */
  announceStop(): void;
  /** Stops in order: waiting calls return, requests finish, pools close. */
  close(): Promise<void>;
}

export interface StartApiOptions {
  settings: ApiSettings;
  logger: Logger;
  /** Used in place of Temporal for session workflows, in tests. */
  workflows?: SessionWorkflows;
  /** The modules of its calls; by default `RESOURCES`. */
  resources?: readonly Type[];
  /** The build folder of the hosted app, if not next to this code. */
  connectFolder?: string;
  /** Time for which a caller may leave its response unread; shorter in tests. */
  unreadResponseMs?: number;
  /** Other limits on the waits for the database, in tests. */
  databaseTimeouts?: Partial<DatabaseTimeouts>;
  /** The time by which the compatibility layer counts calls per minute, held in tests. */
  callClock?: () => number;
}

/**
 * Starts the API and resolves once it listens: prepared, or, when a critical part is down, with 503 for every call until it is
 * up. Port 0 picks a free port.
 */
export async function startApi({
  settings,
  logger,
  workflows,
  resources,
  connectFolder = builtConnectFolder(),
  unreadResponseMs = UNREAD_RESPONSE_MS,
  databaseTimeouts,
  callClock,
}: StartApiOptions): Promise<RunningApi> {
  const stopping = new AbortController();
  // Every waiting call adds a listener.
  setMaxListeners(0, stopping.signal);
  const stopAnnounced = new AbortController();
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    stopping.abort();
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const metrics = new RequestMetrics();
    const app = await createHttpApplication(
      ApiModule.with({
        settings,
        logger,
        stopping: stopping.signal,
        stopAnnounced: stopAnnounced.signal,
        workflows,
        resources,
        databaseTimeouts,
        callClock,
      }),
      { settings, logger, metrics, connectFolder },
    );
    closers.push(() => app.close());
    await app.init();
    const { database } = app.get<Context>(DATABASE_CONTEXT);
    collectPoolMetrics(metrics.registry, database);
    const watch = watchIdentity({ database, logger });
    closers.push(() => watch.stop());
    const checks = app.get<HealthCheck[]>(HEALTH_CHECKS);
    const operator = await startOperatorServer({
      host: settings.metricsHost,
      port: settings.metricsPort,
      registry: metrics.registry,
      checks,
    });
    closers.push(() => operator.close());
    const refusals = app.get(RefusedSignIns);
    closers.push(() => refusals.close());
    const codec = await startCodec(settings, logger, refusals);
    closers.push(() => codec?.close());
    const listener = app.get(ChannelListener);
    listener.start();
    closers.push(() => listener.stop());

    closers.push(() => app.get(SessionLocks).close());
    await prepareInTime(app, { checks, logger, stopping: stopping.signal, closers });

    const server: Server = app.getHttpServer();
    // Unknown expectations are ignored; by default Node responds 417 without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    closeConnectionsAfter(stopAnnounced.signal, server);
    endUnreadResponses(server, unreadResponseMs);
    closers.push(() => drain(server));
    server.listen(settings.apiPort, settings.apiHost);
    await once(server, 'listening');
    const { address, family, port } = server.address() as AddressInfo;
    const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    logger.info({ url }, 'api.listening');
    return { url, announceStop: () => stopAnnounced.abort(), close };
  } catch (error) {
    await close();
    throw error;
  }
}
