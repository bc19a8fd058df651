import type { ReactElement } from 'react';
import { useSession } from '../../data/session.js';
import { AddressTabs } from '../../parts/page/page-parts.js';
import { TEXTS } from './texts.js';

/** Banks and providers; an app does not see the providers of the instance. */
export function BankTabs({ current }: { current: 'banks' | 'providers' }): ReactElement | null {
  const { role } = useSession();
  if (role !== 'operator') return null;
  return (
    <AddressTabs
      name={TEXTS.views}
      current={current}
      tabs={[
        { id: 'banks', title: TEXTS.banks, href: '/banks' },
        { id: 'providers', title: TEXTS.providers, href: '/providers' },
      ]}
    />
  );
}
