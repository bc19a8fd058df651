import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkLogLines } from '../assertions/check-log-lines.mjs';

/**
 * Keeps services that several files of tests share: one for each set of settings, started when the
 * first file requests it.
 * @param place provides a service with its part of the servers of the run, as settings
 */
export async function keepSharedServices({ folder, place }) {
  const [{ Standalone }, { silentProgress }, { createLogger }] = await Promise.all(
    [
      'standalone/src/service/standalone.js',
      'standalone/src/progress.js',
      'platform/src/logging/logger.js',
    ].map((path) => import(new URL(`../../../dist/apps/${path}`, import.meta.url))),
  );
  const services = new Map();

  const start = async (settings) => {
    const dataDir = join(folder, `service-${randomUUID()}`);
    const standalone = new Standalone({
      env: {
        ...process.env,
        LOG_FORMAT: 'json',
        ...(await place()),
        ...settings,
        DATA_DIR: dataDir,
      },
      ports: 'any',
      output: 'files',
      progress: silentProgress,
      logger: createLogger({ name: 'standalone', level: 'silent', format: 'json' }),
    });
    Object.assign(services.get(JSON.stringify(settings)), { standalone, dataDir });
    await standalone.start();
    return dataDir;
  };
  const answer = async (request) => {
    const settings = await text(request);
    if (!services.has(settings)) {
      const service = {};
      services.set(settings, service);
      service.started = start(JSON.parse(settings));
    }
    return services.get(settings).started;
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (dataDir) => response.end(dataDir),
      (error) => response.writeHead(500).end(error.stack),
    );
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all([...services.values()].map(({ standalone }) => standalone?.stop()));
      for (const { dataDir } of services.values()) checkLogs(dataDir);
    },
    kill: () => {
      for (const { standalone } of services.values()) standalone?.kill();
    },
  };
}

const PROCESSES = ['api', 'worker', 'webhooks', 'sandbox_bank'];

/** Every line that the processes of a service wrote, whichever test caused it. */
function checkLogs(dataDir) {
  for (const name of PROCESSES) {
    const file = join(dataDir, 'logs', `${name}.log`);
    if (existsSync(file)) checkLogLines(readFileSync(file, 'utf8'), `the shared ${name}`);
  }
}
