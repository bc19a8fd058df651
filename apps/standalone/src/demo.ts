import '../../platform/src/process/supported-node.js';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '../../platform/src/config/settings.js';
import { CallFailure } from './demo/http-calls.js';
import { describePhone, warnOfNetwork } from './demo/lan/describe-phone.js';
import { lanAddress } from './demo/lan/lan-address.js';
import { lanEnvironment } from './demo/lan/lan-environment.js';
import { linkABank } from './demo/link-a-bank.js';
import { linkLiveSimulators, type TrialUser } from './demo/live-simulators/link-live-simulators.js';
import {
  prepareSimulators,
  startSimulators,
  type RunningSimulators,
  type SimulatorAddresses,
} from './demo/live-simulators/start-simulators.js';
import { Narrator } from './demo/narrator.js';
import { readOptions } from './demo/options.js';
import { readTheData } from './demo/read-the-data.js';
import { startSampleApp } from './demo/sample-app.js';
import { seeTheWebhooks } from './demo/see-the-webhooks.js';
import { WebhookReceiver } from './demo/webhook-receiver.js';
import { createProgress } from './progress.js';
import { makeConsoleLink } from './service/console-link.js';
import { describeService, table } from './service/describe-service.js';
import type { StandaloneDescription } from './service/description.js';
import { runServiceSession } from './service/service-session.js';
import { StartFailure } from './start-failure.js';
import { TRIAL } from './demo/live-simulators/trial-logins.js';

let simulators: RunningSimulators | undefined;

/** @returns the user of the links at simulated vendors, with --live-simulators */
async function tellTheStory(description: StandaloneDescription): Promise<TrialUser | undefined> {
  const narrator = new Narrator((text) => process.stdout.write(text));
  const receiver = new WebhookReceiver(description.base_url);
  try {
    const link = await linkABank(narrator, description, await receiver.listen(lan));
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

interface Preparation {
  /** The first port of the vendor simulators, null without them. */
  simulatorsPort: number | null;
  /** The address in the network, undefined for a demo on this computer only. */
  lan: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** Checks that can fail before any part starts. */
async function prepare(): Promise<Preparation> {
  try {
    const simulatorsPort = isLive ? await prepareSimulators() : null;
    if (!isOnLan) return { simulatorsPort, lan: undefined, env: process.env };
    const lan = await lanAddress(address);
    return { simulatorsPort, lan, env: await lanEnvironment(lan, process.env, ports) };
  } catch (error) {
    if (!(error instanceof StartFailure || error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

const { isLive, isOnLan, address, once, ports } = readOptions();
const { simulatorsPort, lan, env } = await prepare();
const folder = mkdtempSync(join(tmpdir(), 'tributary-demo-'));
chmodSync(folder, 0o711);
process.stdout.write(`\nTributary demo: the whole service on this computer, in ${folder}\n\n`);
if (lan !== undefined) process.stdout.write(`${warnOfNetwork(lan)}\n`);
await runServiceSession({
  env: { ...env, DATA_DIR: folder },
  ports,
  output: 'files',
  logLevel: process.env['LOG_LEVEL'] || 'warn',
  whenReady: async (description) => {
    const trialUser = await tellTheStory(description);
    if (once) return 0;
    const sampleApp = await startSampleApp(description, { user: trialUser, host: lan, ports });
    if (sampleApp !== null && lan === undefined)
      process.stdout.write(
        `\nLink banks by hand in the sample app:  ${sampleApp.url}\nor press Show an example with investments there: a brokerage over two weeks\nLink a real account: npm start, then npm run sample-app -- --pair live (docs/start/first-real-account.md)\n`,
      );
    // Linking in its pages would fail: over http a bank may return only to this computer or to a phone's app.
    if (sampleApp !== null && lan !== undefined)
      process.stdout.write(describePhone(description.connect_base_url, sampleApp.url));
    if (sampleApp !== null && simulators !== undefined)
      process.stdout.write(describeTrial(simulators.addresses, folder));
    // A link signs in the person who reads it, so no log has one.
    const consoleLink = process.stdout.isTTY ? await makeConsoleLink(description) : null;
    process.stdout.write(
      `\nEverything stays up; Ctrl-C stops it and deletes the folder.\n\n${describeService(description, { withKeys: true, consoleLink, dataDir: folder })}\n`,
    );
    return undefined;
  },
  whenStopped: (status) => {
    simulators?.stop();
    if (status === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    else process.stderr.write(`The logs are in ${join(folder, 'logs')}\n`);
  },
});

/** Input for linking more banks by hand, and commands for this service. */
function describeTrial({ simplefin }: SimulatorAddresses, dataDir: string): string {
  return [
    'It shows the three links of the trial user. Choose Link a bank for more:\n',
    table([
      ['SimpleFIN Bridge', `paste a setup token from ${simplefin}/simplefin/create`],
      ['Meridian Bank, Banque de la Rivière, …', 'choose Tilda Trial at the bank, and accept'],
      [
        'Harbour Federal Bank, Prairie Credit Union, …',
        `user name ${TRIAL.user}, password ${TRIAL.password}`,
      ],
    ]),
    `Operator commands:  DATA_DIR=${dataDir} npm run -s operator -- providers list\n`,
  ].join('\n');
}
