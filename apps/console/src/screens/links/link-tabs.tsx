import type { ReactElement } from 'react';
import { placeIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { AddressTabs } from '../../parts/page/page-parts.js';
import { TEXTS } from './texts.js';

/** Links, and the attempts to make them. */
export function LinkTabs({
  context,
  current,
}: {
  context: Context;
  current: 'links' | 'attempts';
}): ReactElement {
  return (
    <AddressTabs
      name={TEXTS.views}
      current={current}
      tabs={[
        { id: 'links', title: TEXTS.links, href: placeIn(context, '/links') },
        { id: 'attempts', title: TEXTS.attempts, href: placeIn(context, '/links/attempts') },
      ]}
    />
  );
}
