import { Button } from '@mantine/core';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { continueReading, unattended, watchAttention } from '../../data/attention.js';
import { mayChangeApp } from '../../data/may-change.js';
import { useSession } from '../../data/session.js';
import { useSignal } from '../../data/use-signal.js';
import { Dialog } from '../dialog/dialog.js';
import { useAddress, usePathValue } from '../address.js';
import { Icon } from '../icons.js';
import { useContextOfPage } from '../last-context.js';
import { PlaceLink } from '../place-link.js';
import type { Screen } from '../screen.js';
import { RecentSignInDialog } from '../sign-in/recent-sign-in-dialog.js';
import { TEXTS } from '../texts.js';
import { ContextSwitcher } from './context-switcher.js';
import { ThemeMenu, ZoneMenu } from './display-menu.js';
import { DisplayFields } from './display-fields.js';
import { Find } from './find.js';
import { Navigation } from './navigation.js';
import { PersonMenu } from './person-menu.js';
import css from './shell.module.css';

/** Around every page: where one is, where else one can go, and how times and colors are shown. */
export function Shell({
  screens,
  children,
}: {
  screens: readonly Screen[];
  children: ReactNode;
}): ReactElement {
  const context = useContextOfPage();
  const { path } = useAddress();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(watchAttention, []);
  useEffect(() => setIsOpen(false), [path]);
  const isOfSandbox = context?.env === 'sandbox' && path.startsWith('/a/');
  return (
    <div className={css.shell}>
      <a href="#page" className={css.skip}>
        {TEXTS.skip}
      </a>
      <header className={css.head}>
        {isOfSandbox && <div className={css.band}>{TEXTS.sandboxBand}</div>}
        <div className={css.top}>
          <Button
            className={css.phone}
            variant="subtle"
            px={8}
            aria-label={TEXTS.openNavigation}
            onClick={() => setIsOpen(true)}
          >
            <Icon name="menu" />
          </Button>
          <PlaceLink href="/" className={css.mark}>
            <img src="/icon.svg" alt="" />
            {TEXTS.product}
          </PlaceLink>
          <ContextSwitcher />
          <span className={css.gap} />
          <Find />
          <ZoneMenu />
          <ThemeMenu />
          <PersonMenu />
        </div>
      </header>
      <div className={css.side}>
        <Navigation screens={screens} />
      </div>
      <main id="page" className={css.main} tabIndex={-1}>
        <div className={css.content}>
          <Notices />
          {children}
        </div>
      </main>
      {isOpen && (
        <Dialog side="start" onClose={() => setIsOpen(false)} title={TEXTS.product}>
          <>
            <Navigation screens={screens} />
            <DisplayFields />
          </>
        </Dialog>
      )}
      <RecentSignInDialog />
    </div>
  );
}

function Notices(): ReactElement {
  const session = useSession();
  const app = usePathValue('app');
  const isReadOnly = app === '' ? session.is_read_only : !mayChangeApp(session, app);
  const isPaused = useSignal(unattended);
  return (
    <>
      {isReadOnly && (
        <p className={css.notice}>
          <Icon name="lock" size={16} />
          {TEXTS.readOnly}
        </p>
      )}
      {isPaused && (
        <div className={css.notice} role="status">
          {TEXTS.paused}
          <Button size="compact-sm" variant="subtle" onClick={continueReading}>
            {TEXTS.continue}
          </Button>
        </div>
      )}
    </>
  );
}
