import { Outlet, useRouterState } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { forgetAnswers, lostSessions } from '../data/call.js';
import { type Session, SessionProvider } from '../data/session.js';
import { useRead } from '../data/use-read.js';
import { useSignal } from '../data/use-signal.js';
import { SCREENS } from '../screens.js';
import { useGo } from './address.js';
import { Shell } from './shell/shell.js';
import { placeAfter } from './sign-in/place-after.js';
import { LoadingRows } from './states/loading-rows.js';
import { Unreachable } from './states/unreachable.js';

/** Every page but the sign-in: the session first, then the frame and the page in it. */
export function SignedIn(): ReactElement {
  const { data: session, failure, again } = useRead<Session>('/session');
  const lost = useSignal(lostSessions);
  const href = useRouterState({ select: ({ location }) => location.href });
  const queries = useQueryClient();
  const go = useGo();
  useEffect(() => {
    if (lost === 0) return;
    lostSessions.set(0);
    placeAfter.keep(href);
    forgetAnswers();
    queries.clear();
    go('/sign-in', { replace: true });
  }, [lost]);
  if (session === undefined)
    return failure === null || failure.status === 401 ? (
      <LoadingRows />
    ) : (
      <Unreachable failure={failure} again={again} />
    );
  return (
    <SessionProvider value={session}>
      <Shell screens={SCREENS}>
        <Outlet />
      </Shell>
    </SessionProvider>
  );
}
