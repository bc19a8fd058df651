import { placeIn } from '../../frame/address.js';
import type { Screen } from '../../frame/screen.js';
import { TEXTS } from './texts.js';

/** Events, one event with its request and attempts, and the receivers. */
export const WEBHOOKS: Screen = {
  name: 'webhooks',
  pages: [
    {
      path: '/a/$app/$env/webhooks',
      title: TEXTS.webhooks,
      load: () => import('./events-page.js'),
    },
    {
      path: '/a/$app/$env/webhooks/endpoints',
      title: TEXTS.endpoints,
      load: () => import('./endpoints-page.js'),
    },
    {
      path: '/a/$app/$env/webhooks/$event_id',
      title: TEXTS.event,
      load: () => import('./event-page.js'),
    },
  ],
  navigation: {
    label: TEXTS.webhooks,
    icon: 'webhooks',
    href: (context) => (context === null ? null : placeIn(context, '/webhooks')),
  },
};
