import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../data/session.js';
import { useLastContext } from './preferences.js';
import type { Context } from './screen.js';

/**
 * The app and the environment that the page is about: those of its address, else those that were used last, else the
 * first app in Sandbox.
 */
export function useContextOfPage(): Context | null {
  const { apps } = useSession();
  const { app, env }: Record<string, string | undefined> = useParams({ strict: false });
  const [last, keep] = useLastContext();
  const known = last !== null && apps.some(({ app_id }) => app_id === last.app) ? last : null;
  const first = apps[0] === undefined ? null : ({ app: apps[0].app_id, env: 'sandbox' } as const);
  const fallback = known ?? first;
  const chosen = app ?? fallback?.app;
  const context: Context | null =
    chosen === undefined
      ? null
      : {
          app: chosen,
          env:
            env === 'live' || env === 'sandbox'
              ? env
              : app === known?.app || app === undefined
                ? (fallback?.env ?? 'sandbox')
                : 'sandbox',
        };
  const isNews =
    app !== undefined &&
    context !== null &&
    (last?.app !== context.app || last?.env !== context.env);
  useEffect(() => {
    if (isNews && context !== null) keep(context);
  });
  return context;
}
