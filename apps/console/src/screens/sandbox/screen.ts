import { placeIn } from '../../frame/address.js';
import type { Page, Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

const page = (path: string, title: string, load: Page['load']): Page => ({
  path: `/a/$app/$env${path}`,
  title,
  load,
  environments: ['sandbox'],
});

/** Test data: links without a user, Connect, worlds with a clock, scripts and faults. Live has none of it. */
export const SANDBOX: Screen = {
  name: 'sandbox',
  pages: [
    page('/try', TEXTS.try, () => import('./try-page.js')),
    page('/connect', TEXTS.connect, () => import('./connect-page.js')),
    page('/worlds', TEXTS.worlds, () => import('./worlds-page.js')),
    page('/scripts', TEXTS.scripts, () => import('./scripts-page.js')),
    page('/faults', TEXTS.faults, () => import('./faults-page.js')),
  ],
  navigation: {
    label: TEXTS.sandbox,
    icon: 'sandbox',
    href: (context) => (context?.env === 'sandbox' ? placeIn(context, '/try') : null),
  },
};
