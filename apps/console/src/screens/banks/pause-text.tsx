import type { ReactElement } from 'react';
import type { ShownPause } from '../../../../console-server/src/operations/institutions/institution-shapes.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Time } from '../../parts/time/time.js';
import { TEXTS } from './texts.js';

/** Until when refreshes are paused, by whom and why. */
export function PauseText({ pause }: { pause: ShownPause }): ReactElement {
  const { until, by, reason } = pause;
  return (
    <span>
      {until === null ? (
        TEXTS.pausedOpen
      ) : (
        <>
          {TEXTS.pausedUntil} <Time at={until} form="day" inRow />
        </>
      )}
      {by !== null && (
        <>
          {' '}
          {TEXTS.by} <bdi>{by}</bdi>
        </>
      )}
      {reason !== null && (
        <>
          : <ForeignText text={reason} canGrow={false} />
        </>
      )}
    </span>
  );
}
