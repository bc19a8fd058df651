import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** Banks with their health, one bank with its day, and the providers that lead to them. */
export const BANKS: Screen = {
  name: 'banks',
  pages: [
    { path: '/banks', title: TEXTS.banks, load: () => import('./banks-page.js') },
    { path: '/banks/$institution_id', title: TEXTS.bank, load: () => import('./bank-page.js') },
    {
      path: '/providers',
      title: TEXTS.providers,
      roles: ['operator'],
      load: () => import('./providers-page.js'),
    },
  ],
  navigation: { label: TEXTS.banks, icon: 'banks', href: () => '/banks' },
};
