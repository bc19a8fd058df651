import type { ReactElement } from 'react';
import type { ShownRoute } from '../../../../console-server/src/operations/institutions/institution-shapes.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { Time } from '../../parts/time/time.js';
import classes from './banks.module.css';
import { TEXTS } from './texts.js';

/** How sign-ins and refreshes through one route go now. */
export function RouteHealth({ route }: { route: ShownRoute }): ReactElement {
  const { provider, login, refresh, since, cause, reported, is_unreachable } = route;
  const isFailing = [login, refresh].some((health) => health === 'degraded' || health === 'down');
  return (
    <span className={classes.route}>
      <bdi className={classes.provider}>{provider}</bdi>
      <span className={classes.health}>
        <span className="visually-hidden">{TEXTS.signIn}: </span>
        <StateMark state={TEXTS.healthWords[login]} />
      </span>
      <span className={classes.health}>
        <span aria-hidden="true" className="muted">
          /
        </span>
        <span className="visually-hidden">{TEXTS.refresh}: </span>
        <StateMark state={TEXTS.healthWords[refresh]} />
      </span>
      {(isFailing || reported !== 'operational' || is_unreachable) && (
        <span className={classes.cause}>
          {[
            ...(cause === null ? [] : [cause.replaceAll('_', ' ')]),
            ...(reported === 'operational' ? [] : [TEXTS.reported(reported)]),
            ...(is_unreachable ? [TEXTS.unreachable] : []),
          ].join(', ')}
          {isFailing && since !== null && (
            <>
              {cause === null ? '' : ', '}
              {TEXTS.lastOk} <Time at={since} inRow />
            </>
          )}
        </span>
      )}
    </span>
  );
}
