import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** The instance itself, for its operators: parts, keys, and who did what. */
export const SYSTEM: Screen = {
  name: 'system',
  pages: [
    {
      path: '/system',
      title: TEXTS.system,
      load: () => import('./system-page.js'),
      roles: ['operator'],
    },
  ],
  navigation: {
    label: TEXTS.system,
    icon: 'system',
    href: (_context, { role }) => (role === 'operator' ? '/system' : null),
  },
};
