import type { Need } from '../../../../console-server/src/operations/instance-start/apps-in-need-shapes.js';
import type { LinkError } from '../../../../../domain/link/link-state.js';

/** Texts of the first page of an app, and of the instance. */
export const TEXTS = {
  title: 'Start',
  calm: 'Nothing needs attention.',
  owners: (count: string, isOne: boolean) =>
    isOne ? `${count} link needs its owner` : `${count} links need their owners`,
  faults: (count: string, isOne: boolean) =>
    isOne ? `${count} link has a fault` : `${count} links have a fault`,
  givenUp: (count: string, isOne: boolean) =>
    isOne ? `${count} event was abandoned` : `${count} events were abandoned`,
  steps: (done: number, all: number) => `First steps · ${done} of ${all}`,
  now: 'Now',
  everyMinute: 'every minute',
  done: 'done',
  open: 'open',

  key: 'Use a key pair',
  keyHint:
    'Get a token with a key pair of this app. It needs the secret, which the Keys page makes.',
  toKeys: 'Key pairs',
  link: 'Link a test bank',
  linkLive: 'Link a bank',
  linkHint: 'The sandbox bank is linked without a user, and has data at once.',
  linkLiveHint: 'Create a session with a Live key pair, and open Connect with its token.',
  toSandbox: 'Link a test bank',
  accounts: 'Read accounts',
  accountsHint:
    'A link has accounts with balances, whose numbers are masked here. Your app reads them at GET /links/{id}/accounts.',
  toLink: 'Open the link',
  deliver: 'Receive a webhook',
  deliverHint: 'Give a link the address of a receiver of yours, and send a test event to it.',
  toWebhooks: 'Webhooks',
  verify: 'Verify a signature',
  verifyHint:
    'A receiver accepts only what the service has signed. The console shows each step of it.',
  toVerify: 'Verify an event',
  doneHere: 'in this browser',
  repair: 'Repair a link',
  repairHint:
    'Sign-ins end. End one at a test bank, and let its user sign in again through a repair address.',
  repairLiveHint: 'Sign-ins end. A repair address lets the user of a link sign in again.',
  toTry: 'End a sign-in',
  rotate: 'Rotate a secret',
  rotateHint: 'A second secret works beside the first one, so a rotation interrupts nothing.',

  linkErrors: {
    auth_expired: 'Links: sign-in needed',
    user_error: 'Links: unfinished by the user',
    incomplete: 'Links: unfinished sign-in',
    institution_error: 'Links: fault at the bank',
    provider_error: 'Links: fault at the source',
    system_error: 'Links: fault in the service',
  } satisfies Record<LinkError, string>,
  exhausted: 'Abandoned events',
  disabled: 'Events: address disabled',
  pending: 'Events on their way',
  sessionsOpen: 'Sessions open',
  sessionsCreated: 'Sessions not opened yet',

  instance: 'The instance',
  linksInError: 'Links in error',
  banksDown: 'Banks that are down',
  receiversRefusing: 'Receivers that refuse',
  configurationsBroken: 'Configurations that are broken',
  attention: 'What needs attention',
  needs: {
    links: 'Links in error',
    receivers: 'Receivers that refuse',
    events: 'Abandoned events',
  } satisfies Record<Need, string>,
  environment: 'Environment',
  environments: { sandbox: 'Sandbox', live: 'Live' },
  number: 'Number',
  moreApps: 'Look at more apps',
  firstApps: 'Back to the first apps',
  noneInNeed: 'No app has any',
  noneYet: '100 apps were looked at, and none has any',
  lookFurther: 'Look further',
  waiting: 'Waiting work',
  waitingNames: {
    commands: 'Starts of workflows',
    links_due: 'Scheduled refreshes',
    refresh_requests: 'Refreshes',
    webhooks: 'Webhooks',
  },
  oldest: (age: string) => `oldest ${age}`,
  apps: 'Apps',
  app: 'App',
  appId: 'Id',
  created: 'Created',
  noApp: 'No app yet',
  noAppHint: 'An app is a tenant with key pairs of its own. This creates one:',
} as const;
