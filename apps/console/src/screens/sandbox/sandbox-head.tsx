import type { ReactElement } from 'react';
import { placeIn } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import type { Context } from '../../frame/screen.js';
import { AddressTabs } from '../../parts/page/page-parts.js';
import { TEXTS } from './texts.js';

const PARTS = ['try', 'connect', 'worlds', 'scripts', 'faults'] as const;

/** The heading that all parts of the sandbox share. */
export function SandboxHead({
  context,
  current,
}: {
  context: Context;
  current: (typeof PARTS)[number];
}): ReactElement {
  return (
    <>
      <PageTitle title={TEXTS.sandbox} />
      <AddressTabs
        name={TEXTS.views}
        current={current}
        tabs={PARTS.map((id) => ({ id, title: TEXTS[id], href: placeIn(context, `/${id}`) }))}
      />
    </>
  );
}
