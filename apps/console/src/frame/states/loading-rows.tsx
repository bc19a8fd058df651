import { type ReactElement, useEffect, useState } from 'react';
import { TEXTS } from '../texts.js';
import css from './states.module.css';

const QUIET_MS = 400;
const WIDTHS = [72, 58, 66, 50, 62];

/** Nothing for 400 ms, then rows of the height that the answer will have. */
export function LoadingRows({ rows = 5 }: { rows?: number }): ReactElement {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      className={css.rows}
      aria-busy="true"
      style={{ visibility: isShown ? 'visible' : 'hidden' }}
    >
      {isShown && (
        <span role="status" className="visually-hidden">
          {TEXTS.loading}
        </span>
      )}
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.row}>
          <div className={css.bar} style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
        </div>
      ))}
    </div>
  );
}
