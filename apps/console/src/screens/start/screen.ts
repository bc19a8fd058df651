import { placeIn } from '../../frame/address.js';
import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

export const START: Screen = {
  name: 'start',
  pages: [
    { path: '/', title: TEXTS.title, load: () => import('./instance-page.js') },
    {
      path: '/attention',
      title: TEXTS.attention,
      load: () => import('./attention-page.js'),
      roles: ['operator'],
    },
    { path: '/a/$app/$env', title: TEXTS.title, load: () => import('./start-page.js') },
  ],
  navigation: {
    label: TEXTS.title,
    icon: 'start',
    href: (context, { role }) =>
      context !== null ? placeIn(context) : role === 'operator' ? '/' : null,
  },
};
