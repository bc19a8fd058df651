import type { ReactElement } from 'react';
import { placeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { AddressTabs } from '../../parts/page/page-parts.js';
import { TEXTS } from './texts.js';

/** Events, and the receivers for which deliveries wait. */
export function WebhookTabs({
  context,
  current,
}: {
  context: Context;
  current: 'events' | 'endpoints';
}): ReactElement {
  return (
    <AddressTabs
      name={TEXTS.views}
      current={current}
      tabs={[
        { id: 'events', title: TEXTS.events, href: placeIn(context, '/webhooks') },
        { id: 'endpoints', title: TEXTS.endpoints, href: placeIn(context, '/webhooks/endpoints') },
      ]}
    />
  );
}
