import { join } from 'node:path';
import type { Progress } from '../../progress.js';
import type { StandaloneDescription } from '../../service/description.js';
import { CallFailure } from '../http-calls.js';
import type { Narrator } from '../narrator.js';
import { readAccounts, readTransactions, untilFetched } from '../read-the-data.js';
import { registerAtVendors } from './configurations.js';
import { linkAtVendor } from './link-at-vendor.js';
import { commandsFor, type RunCommand } from './operator-command.js';
import type { SimulatorAddresses } from './start-simulators.js';

/** The user of the created links. */
export interface TrialUser {
  id: string;
  links: string[];
}

export interface LiveStory {
  narrator: Narrator;
  progress: Progress;
  service: StandaloneDescription;
  /** An access token of the app. */
  bearer: string;
  dataDir: string;
  simulators: SimulatorAddresses;
}

const TRIALS = [
  { provider: 'simplefin-simulator', institution: 'SimpleFIN Bridge' },
  { provider: 'enable-banking-simulator', institution: 'Meridian Bank' },
  { provider: 'fdx-simulator', institution: 'Harbour Federal Bank' },
];
const SHOWN_ROWS = 3;

/** Configures the three adapters, links an account through each, and shows the reason of each route. */
export async function linkLiveSimulators(story: LiveStory): Promise<TrialUser> {
  const { narrator, service, bearer } = story;
  const operate = commandsFor(story.dataDir);
  await configure(story, operate);
  const user: TrialUser = { id: 'trial-user', links: [] };
  for (const trial of TRIALS) {
    narrator.step(
      `A user links ${trial.institution}`,
      'in Connect, and at the pages of the vendor',
    );
    const linkId = await story.progress.during(
      `Linking ${trial.institution}`,
      linkAtVendor({ api: service.base_url, bearer, userId: user.id, ...trial }),
    );
    user.links.push(linkId);
    const link = `${service.base_url}/links/${linkId}`;
    await story.progress.during('Fetching the transactions', untilFetched(link, bearer));
    await readAccounts(narrator, link, bearer);
    await readTransactions(narrator, link, bearer, SHOWN_ROWS);

    narrator.step(`Why through ${trial.provider}`, `links explain ${linkId}`);
    const explained = await operate('links', 'explain', linkId);
    for (const line of explained.split('\n')) narrator.result(line);
    if (!explained.includes(`: ${trial.provider}`))
      throw new CallFailure(`${trial.institution} was not linked through ${trial.provider}`);
  }
  return user;
}

async function configure(story: LiveStory, operate: RunCommand): Promise<void> {
  const { narrator, progress, service, dataDir, simulators } = story;
  narrator.step('Vendors of real banks are simulated', 'npm run start:vendor-simulators');
  narrator.rows(Object.entries(simulators));

  narrator.step('The operator brings keys for each', 'providers add');
  const configurations = await registerAtVendors({
    simulators,
    folder: join(dataDir, 'live-simulators'),
    redirectAddress: `${service.base_url}/connect/oauth/callback`,
  });
  const names = configurations.map(({ name }) => name);
  const adding = configurations.map(({ adapter, name, options }) => {
    const place = ['--name', name, '--environment', 'sandbox'];
    return operate('providers', 'add', adapter, ...place, ...options);
  });
  await progress.during(`Adding ${names.join(', ')}`, Promise.all(adding));
  narrator.rows(configurations.map(({ adapter, name }) => [name, `adapter ${adapter}`]));

  narrator.step('… and lists their banks', 'institutions sync');
  const reading = operate('institutions', 'sync', '--json');
  const synced = await progress.during('Reading the lists of the vendors', reading);
  const lists = JSON.parse(synced) as { provider: string; listed: number }[];
  narrator.rows(
    lists
      .filter(({ provider }) => names.includes(provider))
      .map(({ provider, listed }) => [provider, `${listed} institutions`]),
  );

  narrator.step('… and joins entries of one bank', 'institutions join');
  const doubts = JSON.parse(await operate('institutions', 'doubts', '--json')) as Doubt[];
  for (const {
    provider,
    name,
    remote_id: remoteId,
    may_be: [same = ''],
  } of doubts) {
    await operate('institutions', 'join', provider, remoteId, same);
    narrator.result(`${name} of ${provider} is ${same}`);
  }
}

/** An entry that stayed apart, since only its name identifies the bank. */
interface Doubt {
  provider: string;
  name: string;
  remote_id: string;
  may_be: string[];
}
