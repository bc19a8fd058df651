import type { Locator, Page } from 'playwright-core';
import type { Width } from './appearance.js';
import type { ScreenPlace } from './screens.js';

/** A menu or a dialog of the console, with the way to it. */
export interface Overlay {
  role: 'menu' | 'dialog';
  /** Its own name. */
  name: string | RegExp;
  at: (place: ScreenPlace) => string;
  /** The control that opens it, and to which the focus returns. */
  opener: (page: Page) => Locator;
  /** Steps after the opener. */
  then?: (page: Page) => Promise<void>;
  /** Missing = in every width. */
  onlyAt?: Width;
  /** The button that alone closes it: Escape does not. */
  closedBy?: string;
}

const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const item = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click();
const ofApp =
  (path: string) =>
  ({ app }: ScreenPlace): string =>
    `/a/${app}/sandbox${path}`;
const ofLink = ({ app, linkId }: ScreenPlace): string => `/a/${app}/sandbox/links/${linkId}`;
const links = ofApp('/links');
const keys = ofApp('/keys');
const more = button('More');

/** Every menu and every dialog: one line each. */
export const OVERLAYS: Readonly<Record<string, Overlay>> = {
  context: { role: 'menu', name: 'App and environment', at: links, opener: button(/Sandbox$/) },
  times: { role: 'menu', name: 'Times', at: links, opener: button(/^Times:/), onlyAt: 1_280 },
  theme: { role: 'menu', name: 'Theme', at: links, opener: button(/^Theme:/), onlyAt: 1_280 },
  columns: {
    role: 'menu',
    name: 'Columns',
    at: links,
    opener: button('Columns'),
    onlyAt: 1_280,
  },
  'more of a link': { role: 'menu', name: 'More', at: ofLink, opener: more },
  person: {
    role: 'dialog',
    name: 'The signed-in person',
    at: links,
    opener: button(/^Signed in as/),
  },
  navigation: {
    role: 'dialog',
    name: 'Tributary',
    at: links,
    opener: button('Open the navigation'),
    onlyAt: 320,
  },
  find: {
    role: 'dialog',
    name: 'Find by id',
    at: links,
    opener: (page) => page.getByRole('button', { name: 'Find an id' }).locator('visible=true'),
  },
  repair: {
    role: 'dialog',
    name: /repair address\?/,
    at: ofLink,
    opener: button('Repair address'),
  },
  'repair address': {
    role: 'dialog',
    name: 'The repair address',
    at: ofLink,
    opener: button('Repair address'),
    then: (page) => page.getByRole('button', { name: 'Create' }).click(),
    closedBy: 'Close',
  },
  refresh: { role: 'dialog', name: 'Refresh this link?', at: ofLink, opener: button('Refresh') },
  reset: {
    role: 'dialog',
    name: 'Reset this link?',
    at: ofLink,
    opener: more,
    then: item('Reset…'),
  },
  move: { role: 'dialog', name: /^Move this link/, at: ofLink, opener: more, then: item('Move…') },
  delete: {
    role: 'dialog',
    name: 'Delete this link?',
    at: ofLink,
    opener: more,
    then: item('Delete…'),
  },
  replay: {
    role: 'dialog',
    name: 'Replay events',
    at: ofApp('/webhooks'),
    opener: button('Replay matching…'),
  },
  'replay of one': {
    role: 'dialog',
    name: 'Send this event again?',
    at: ({ app, eventId }) => `/a/${app}/sandbox/webhooks/${eventId}`,
    opener: button('Replay'),
  },
  'test event': {
    role: 'dialog',
    name: 'Send a test event',
    at: ofApp('/webhooks'),
    opener: button('Send a test…'),
  },
  'pause of a bank': {
    role: 'dialog',
    name: /^Pause refreshes/,
    at: () => '/banks/sandbox-credentials-bank',
    opener: button('Pause…'),
  },
  'pause of a provider': {
    role: 'dialog',
    name: /^Pause refreshes/,
    at: () => '/providers',
    opener: button('Pause…'),
  },
  'new pair': {
    role: 'dialog',
    name: 'New pair',
    at: keys,
    opener: button('New pair…'),
    then: async (page) => {
      await page.getByLabel('May make').selectOption('some');
      await page.getByRole('checkbox', { name: 'request refreshes' }).check();
    },
  },
  secret: {
    role: 'dialog',
    name: 'Store this secret now',
    at: keys,
    opener: button('New pair…'),
    then: (page) => page.getByRole('button', { name: 'Create the pair' }).click(),
    closedBy: 'I have stored it',
  },
  rotation: { role: 'dialog', name: 'Rotate the secret', at: keys, opener: button('Rotate…') },
  'disabled pair': {
    role: 'dialog',
    name: 'Disable this pair',
    at: keys,
    opener: button('Disable…'),
  },
  'end of a secret': { role: 'dialog', name: 'End this secret', at: keys, opener: button(/^End…/) },
  'deleted world': {
    role: 'dialog',
    name: /^Delete the world/,
    at: ofApp('/worlds'),
    opener: button('Delete…'),
  },
};
