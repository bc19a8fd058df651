import '../../platform/src/process/supported-node.js';
import { parseArgs } from 'node:util';
import { describeService } from './service/describe-service.js';
import { runServiceSession } from './service/service-session.js';

const USAGE = `npm start -- [--data-dir DIR] [--auto-ports]

  --data-dir DIR   folder with the state of the service (DATA_DIR, .tributary)
  --auto-ports     use free ports instead of the configured ones
  --help           this text

Settings: docs/settings.md
`;

const NEXT_STEPS = `  In another terminal:
    npm run sample-app                   link a sandbox bank in a browser
    npm run sample-app -- --pair live    link a real account: docs/start/first-real-account.md
    docs/start/first-link.md             the first calls, with curl, Node or Python
`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        'data-dir': { type: 'string' },
        'auto-ports': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return process.exit(1);
  }
}

const options = readOptions();
if (options.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
await runServiceSession({
  env: {
    ...process.env,
    ...(options['data-dir'] === undefined ? {} : { DATA_DIR: options['data-dir'] }),
  },
  ports: options['auto-ports'] ? 'any' : 'exact',
  output: 'inherit',
  whenReady: async (description, isForPeople) => {
    if (!isForPeople) return undefined;
    process.stdout.write(
      `\nTributary is ready. Ctrl-C stops it.\n\n${describeService(description, { withKeys: process.stdout.isTTY })}\n${NEXT_STEPS}\n`,
    );
    return undefined;
  },
});
