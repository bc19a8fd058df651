import type { Screen } from './frame/screen.js';
import { BANKS } from './screens/banks/screen.js';
import { KEYS } from './screens/keys/screen.js';
import { LINKS } from './screens/links/screen.js';
import { SANDBOX } from './screens/sandbox/screen.js';
import { START } from './screens/start/screen.js';
import { SYSTEM } from './screens/system/screen.js';
import { WEBHOOKS } from './screens/webhooks/screen.js';

/** Every screen, in the order of the navigation: its addresses, its place there and who may see it follow from its line. */
export const SCREENS: readonly Screen[] = [START, LINKS, WEBHOOKS, BANKS, SANDBOX, KEYS, SYSTEM];

/** The pages of those who are not signed in yet. */
export const SIGN_IN = {
  page: () => import('./screens/sign-in/sign-in-page.js'),
  returnPage: () => import('./screens/sign-in/return-page.js'),
};
