import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CallFailure } from './demo/http-calls.js';
import { linkABank } from './demo/link-a-bank.js';
import { describeTrial } from './demo/live-simulators/describe-trial.js';
import { linkLiveSimulators, type TrialUser } from './demo/live-simulators/link-live-simulators.js';
import {
  prepareSimulators,
  startSimulators,
  type RunningSimulators,
} from './demo/live-simulators/start-simulators.js';
import { Narrator } from './demo/narrator.js';
import { readTheData } from './demo/read-the-data.js';
import { startSampleApp } from './demo/sample-app.js';
import { seeTheWebhooks } from './demo/see-the-webhooks.js';
import { WebhookReceiver } from './demo/webhook-receiver.js';
import { createProgress } from './progress.js';
import { describeService } from './service/describe-service.js';
import type { StandaloneDescription } from './service/description.js';
import { runServiceSession } from './service/service-session.js';
import { StartFailure } from './start-failure.js';

const USAGE = `npm run demo [-- [--live-simulators] [--once]]

Starts the service on an empty temporary folder, links a bank, and stays up, with a sample app in which you link,
break and repair banks by hand.

  --live-simulators  also link an account through each adapter for real banks (SimpleFIN, Enable Banking, FDX);
                     their servers are simulated on this computer
  --once             end after the links, with status 0 when everything went well
`;

let simulators: RunningSimulators | undefined;

/** @returns the user of the links at simulated vendors, with --live-simulators */
async function tellTheStory(description: StandaloneDescription): Promise<TrialUser | undefined> {
  const narrator = new Narrator((text) => process.stdout.write(text));
  const receiver = new WebhookReceiver(description.base_url);
  try {
    const link = await linkABank(narrator, description, await receiver.listen());
    await readTheData(narrator, description.base_url, link);
    await seeTheWebhooks(narrator, receiver, link.linkId);
    process.stdout.write('\nThat was one link, end to end.\n');
    if (simulatorsPort === null) return undefined;
    const trialUser = await linkRealBanks(narrator, description, link.accessToken, simulatorsPort);
    process.stdout.write('\nThat was one link through each adapter for real banks.\n');
    return trialUser;
  } catch (error) {
    if (error instanceof CallFailure) throw new StartFailure(`The demo failed: ${error.message}`);
    throw error;
  } finally {
    receiver.close();
  }
}

async function linkRealBanks(
  narrator: Narrator,
  service: StandaloneDescription,
  bearer: string,
  port: number,
): Promise<TrialUser> {
  const progress = createProgress(process.stdout);
  simulators = await progress.during(
    'Starting the vendor simulators',
    startSimulators(port, (message) => process.stderr.write(`\n${message}\n`)),
  );
  const { addresses } = simulators;
  const story = { narrator, progress, service, bearer, dataDir: folder, simulators: addresses };
  return linkLiveSimulators(story);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        'live-simulators': { type: 'boolean', default: false },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return process.exit(1);
  }
}

/** @returns the first port of the vendor simulators, null without them */
async function prepare(): Promise<number | null> {
  try {
    return isLive ? await prepareSimulators() : null;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

const { once, help, 'live-simulators': isLive } = readOptions();
if (help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const simulatorsPort = await prepare();
const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'));
chmodSync(folder, 0o711);
process.stdout.write(`\nTributary demo: the whole service on this computer, in ${folder}\n\n`);
await runServiceSession({
  env: { ...process.env, DATA_DIR: folder },
  ports: 'prefer',
  output: 'files',
  logLevel: process.env['LOG_LEVEL'] || 'warn',
  whenReady: async (description) => {
    const trialUser = await tellTheStory(description);
    if (once) return 0;
    const sampleApp = await startSampleApp(description, trialUser);
    if (sampleApp !== null) {
      process.stdout.write(`\nLink banks by hand in the sample app:  ${sampleApp.url}\n`);
      if (simulators !== undefined)
        process.stdout.write(describeTrial(simulators.addresses, folder));
    }
    process.stdout.write(
      `\nEverything stays up; Ctrl-C stops it and deletes the folder.\n\n${describeService(description, { withKeys: true })}\n`,
    );
    return undefined;
  },
  whenStopped: (status) => {
    simulators?.stop();
    if (status === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    else process.stderr.write(`The logs are in ${join(folder, 'logs')}\n`);
  },
});
