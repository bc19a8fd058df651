import { Button } from '@mantine/core';
import { lazyRouteComponent, type ErrorComponentProps } from '@tanstack/react-router';
import type { FunctionComponent, ReactElement } from 'react';
import { useSession } from '../data/session.js';
import { usePathValue } from './address.js';
import type { Page } from './screen.js';
import { NotFound } from './states/not-found.js';
import { StateText } from './states/state-text.js';
import { TEXTS } from './texts.js';

/** The page of a route: loaded when it is first opened, and absent for those who may not see it. */
export function pageOfScreen({ load, roles, environments, path }: Page): FunctionComponent {
  const Loaded: FunctionComponent = lazyRouteComponent(load);
  const hasEnvironment = path.includes('$env');
  function PageOfScreen(): ReactElement {
    const { role } = useSession();
    const env = usePathValue('env');
    const isKnown = !hasEnvironment || env === 'sandbox' || env === 'live';
    const isThere =
      isKnown &&
      (roles?.includes(role) ?? true) &&
      (environments === undefined || environments.some((each) => each === env));
    return isThere ? <Loaded /> : <NotFound />;
  }
  return PageOfScreen;
}

/** A fault of the page itself. */
export function FaultOfPage({ error }: ErrorComponentProps): ReactElement {
  return (
    <StateText
      icon="warning"
      title={TEXTS.failedTitle}
      actions={
        <Button variant="default" onClick={() => window.location.reload()}>
          {TEXTS.reload}
        </Button>
      }
    >
      <p>{TEXTS.failed}</p>
      <code>{error instanceof Error ? error.message : String(error)}</code>
    </StateText>
  );
}
