import '../../platform/src/process/supported-node.js';
import { parseArgs } from 'node:util';
import { makeConsoleLink } from './service/console-link.js';
import { describeService } from './service/describe-service.js';
import { inDataFolder } from './service/in-data-folder.js';
import { readSettings } from '../../platform/src/config/settings.js';
import { runServiceSession } from './service/service-session.js';
import { MAX_FIRST_PORT, withPortsFrom, withPresets } from './service/standalone-settings.js';

const USAGE = `npm start -- [--data-dir DIR] [--port PORT | --auto-ports]

  --data-dir DIR   folder with the state of the service (DATA_DIR, .tributary)
  --port PORT      the port of the API; all other parts use the ports after it
  --auto-ports     use free ports instead of the configured ones
  --help           this text

Settings: docs/settings.md
`;

/** Commands find the service by its data folder. */
function nextSteps(folder: string): string {
  const sampleApp = inDataFolder(folder, 'npm run sample-app');
  const steps = [
    [sampleApp, 'link a sandbox bank in a browser'],
    [`${sampleApp} -- --pair live`, 'link a real account: docs/start/first-real-account.md'],
    ['docs/start/first-link.md', 'the first calls, with curl, Node or Python'],
  ] as const;
  const width = Math.max(...steps.map(([command]) => command.length)) + 4;
  const lines = steps.map(([command, what]) => `    ${command.padEnd(width)}${what}\n`);
  return `  In another terminal:\n${lines.join('')}`;
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        'data-dir': { type: 'string' },
        port: { type: 'string' },
        'auto-ports': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n\n${USAGE}`);
  return process.exit(1);
}

function firstPort(text: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Infinity;
  if (port > MAX_FIRST_PORT) refuse(`--port is a number from 1 to ${MAX_FIRST_PORT}.`);
  return port;
}

const options = readOptions();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (options.port !== undefined && options['auto-ports'])
  refuse('--port does not go with --auto-ports.');
const env = {
  ...process.env,
  ...(options['data-dir'] === undefined ? {} : { DATA_DIR: options['data-dir'] }),
};
await runServiceSession({
  env: options.port === undefined ? env : withPortsFrom(firstPort(options.port), env),
  ports: options['auto-ports'] ? 'any' : 'exact',
  output: 'inherit',
  whenReady: async (description, isForPeople) => {
    if (!isForPeople) return undefined;
    // A link signs in the person who reads it, so no log has one.
    const consoleLink = process.stdout.isTTY ? await makeConsoleLink(description) : null;
    const { dataDir } = readSettings(withPresets(env), 'standalone');
    process.stdout.write(
      `\nTributary is ready. Ctrl-C stops it.\n\n${describeService(description, { withKeys: process.stdout.isTTY, consoleLink, dataDir })}\n${nextSteps(dataDir)}\n`,
    );
    return undefined;
  },
});
