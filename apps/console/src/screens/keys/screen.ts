import { placeIn } from '../../frame/address.js';
import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** The key pairs of an app in an environment, and their secrets. */
export const KEYS: Screen = {
  name: 'keys',
  pages: [
    { path: '/a/$app/$env/keys', title: TEXTS.keys, load: () => import('./keys-page.js') },
    { path: '/a/$app/keys', title: TEXTS.keys, load: () => import('./to-keys-page.js') },
    {
      path: '/a/$app/keys/$client_id',
      title: TEXTS.keys,
      load: () => import('./to-keys-page.js'),
    },
  ],
  navigation: {
    label: TEXTS.keys,
    icon: 'keys',
    href: (context) => (context === null ? null : placeIn(context, '/keys')),
  },
};
