import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CallFailure } from './demo/http-calls.js';
import { linkABank } from './demo/link-a-bank.js';
import { Narrator } from './demo/narrator.js';
import { readTheData } from './demo/read-the-data.js';
import { startSampleApp } from './demo/sample-app.js';
import { seeTheWebhooks } from './demo/see-the-webhooks.js';
import { WebhookReceiver } from './demo/webhook-receiver.js';
import { describeService } from './service/describe-service.js';
import type { StandaloneDescription } from './service/description.js';
import { runServiceSession } from './service/service-session.js';
import { StartFailure } from './start-failure.js';

const USAGE = `npm run demo [-- --once]

Starts the service on an empty temporary folder, links a bank, and stays up, with a sample app in which you link,
break and repair banks by hand.

  --once   end after the link, with status 0 when everything went well
`;

async function tellTheStory(description: StandaloneDescription): Promise<void> {
  const narrator = new Narrator((text) => process.stdout.write(text));
  const receiver = new WebhookReceiver(description.base_url);
  try {
    const link = await linkABank(narrator, description, await receiver.listen());
    await readTheData(narrator, description.base_url, link);
    await seeTheWebhooks(narrator, receiver, link.linkId);
  } catch (error) {
    if (error instanceof CallFailure) throw new StartFailure(`The demo failed: ${error.message}`);
    throw error;
  } finally {
    receiver.close();
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return process.exit(1);
  }
}

const { once, help } = readOptions();
if (help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'));
chmodSync(folder, 0o711);
process.stdout.write(`\nTributary demo: the whole service on this computer, in ${folder}\n\n`);
await runServiceSession({
  env: { ...process.env, DATA_DIR: folder },
  ports: 'prefer',
  output: 'files',
  logLevel: process.env['LOG_LEVEL'] || 'warn',
  whenReady: async (description) => {
    await tellTheStory(description);
    process.stdout.write('\nThat was one link, end to end.\n');
    if (once) return 0;
    const sampleApp = await startSampleApp(description);
    if (sampleApp !== null)
      process.stdout.write(`\nLink banks by hand in the sample app:  ${sampleApp.url}\n`);
    process.stdout.write(
      `\nEverything stays up; Ctrl-C stops it and deletes the folder.\n\n${describeService(description, { withKeys: true })}\n`,
    );
    return undefined;
  },
  whenStopped: (status) => {
    if (status === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    else process.stderr.write(`The logs are in ${join(folder, 'logs')}\n`);
  },
});
