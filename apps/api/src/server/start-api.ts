import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../../../../prisma/context.js';
import { ChannelListener } from '../../../../prisma/database/channel-listener.js';
import { CursorKeys } from '../../../../prisma/keys/cursor-key.repository.js';
import { MasterKeyRepository } from '../../../../prisma/master-keys/master-key.repository.js';
import { PlaidWebhookKeys } from '../../../../prisma/plaid/plaid-webhook-keys.js';
import { SigningKeys } from '../../../../prisma/keys/signing-key.repository.js';
import { SessionLocks } from '../../../../prisma/database/session-locks.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import { reportMasterKeys } from '../../../platform/src/database/report-master-keys.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import { RefusedSignIns } from '../../../platform/src/sign-ins/refused-sign-ins.js';
import { startOperatorServer } from '../../../platform/src/process/operator-server.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { ApiModule } from './api.module.js';
import { builtConnectFolder } from '../connect/hosted/hosted-files.js';
import type { SessionWorkflows } from '../connect/session/session-workflows.js';
import { closeConnectionsAfter, drain } from './drain.js';
import { createHttpApplication } from './http-application.js';
import { RequestMetrics } from '../operator/request-metrics.js';
import { startCodec } from '../operator/start-codec.js';
import { HEALTH_CHECKS } from '../operator/health.controller.js';

export interface RunningApi {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  url: string;
  /** From now on it is not ready and every response closes its connection, while requests are served as before. */
  announceStop(): void;
  /** Stops in order: waiting calls return, requests finish, pools close. */
  close(): Promise<void>;
}

export interface StartApiOptions {
  settings: ApiSettings;
  logger: Logger;
  /** Used in place of Temporal for session workflows, in tests. */
  workflows?: SessionWorkflows;
  /** The build folder of the hosted app, if not next to this code. */
  connectFolder?: string;
}

/** Starts the API and resolves once it listens. Port 0 picks a free port. */
export async function startApi({
  settings,
  logger,
  workflows,
  connectFolder = builtConnectFolder(),
}: StartApiOptions): Promise<RunningApi> {
  const stopping = new AbortController();
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
      }),
      { settings, logger, metrics, connectFolder },
    );
    closers.push(() => app.close());
    await app.init();
    const masterKeys = new MasterKeyRepository(app.get<Context>(DATABASE_CONTEXT));
    await masterKeys.check();
    await Promise.all([
      app.get(SigningKeys).ensure(),
      app.get(PlaidWebhookKeys).ensure(),
      app.get(CursorKeys).ensure(),
    ]);

    const operator = await startOperatorServer({
      host: settings.metricsHost,
      port: settings.metricsPort,
      registry: metrics.registry,
      checks: app.get<HealthCheck[]>(HEALTH_CHECKS),
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
    const reports = reportMasterKeys(masterKeys, logger);
    closers.push(() => reports.stop());

    const server: Server = app.getHttpServer();
    // Unknown expectations are ignored; by default Node responds 417 without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    closeConnectionsAfter(stopAnnounced.signal, server);
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
