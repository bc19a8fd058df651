import { placeIn } from '../../frame/address.js';
import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** Links of an app in an environment, the attempts to make them, and one link with all that happened to it. */
export const LINKS: Screen = {
  name: 'links',
  pages: [
    { path: '/a/$app/$env/links', title: TEXTS.links, load: () => import('./links-page.js') },
    {
      path: '/a/$app/$env/links/attempts',
      title: TEXTS.attempts,
      load: () => import('./attempts-page.js'),
    },
    {
      path: '/a/$app/$env/links/$link_id',
      title: TEXTS.link,
      load: () => import('./link-page.js'),
    },
  ],
  navigation: {
    label: TEXTS.links,
    icon: 'links',
    href: (context) => (context === null ? null : placeIn(context, '/links')),
  },
};
