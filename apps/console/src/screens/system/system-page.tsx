import type { ReactElement } from 'react';
import { useAddress } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { AddressTabs } from '../../parts/page/page-parts.js';
import { KeysPart } from './keys-part.js';
import { PartsPart } from './parts-part.js';
import { RecordPart } from './record-part.js';
import { TEXTS } from './texts.js';

const TABS = ['parts', 'keys', 'record'] as const;

export default function SystemPage(): ReactElement {
  const { value } = useAddress();
  const current = TABS.find((tab) => tab === value('tab')) ?? 'parts';
  return (
    <>
      <PageTitle title={TEXTS.system} />
      <AddressTabs
        name={TEXTS.views}
        current={current}
        tabs={TABS.map((id) => ({ id, title: TEXTS.tabs[id], href: `/system?tab=${id}` }))}
      />
      {current === 'parts' && <PartsPart />}
      {current === 'keys' && <KeysPart />}
      {current === 'record' && <RecordPart />}
    </>
  );
}
