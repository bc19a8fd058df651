import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { SettingsOf } from '../../platform/src/config/settings.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import type { Service } from '../../operator/src/service.js';
import { consoleApp } from './console-app.js';
import { OPERATIONS } from './operations/all-operations.js';
import type { Operation } from './operations/operation.js';

/** Milliseconds. */
const TIMEOUTS = { requestTimeout: 30_000, headersTimeout: 10_000 };
const MAX_CONNECTIONS = 500;

export interface StartConsoleOptions {
  settings: SettingsOf<'console'>;
  service: Service;
  logger: Logger;
  operations?: readonly Operation[];
  /** The build folder of the page, if not next to this code. */
  folder?: string;
}

/** Starts the listener of the console; port 0 picks a free port, which an address in the settings cannot know. */
export async function startConsole({
  settings,
  service,
  logger,
  operations = OPERATIONS,
  folder = fileURLToPath(new URL('../../console', import.meta.url)),
}: StartConsoleOptions): Promise<{ port: number; close(): Promise<void> }> {
  const app = consoleApp({ settings, service, logger, operations, folder });
  const server = createServer(TIMEOUTS, app);
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(settings.consolePort, settings.consoleHost);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  logger.info({ url: settings.consoleBaseUrl }, 'console.listening');
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
