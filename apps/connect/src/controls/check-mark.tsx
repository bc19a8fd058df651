import type { ReactElement } from 'react';

/** A check mark that is drawn once. */
export function CheckMark(): ReactElement {
  return (
    <svg
      className="check-mark"
      width="3.5rem"
      height="3.5rem"
      viewBox="0 0 56 56"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <circle className="check-mark-ring" cx="28" cy="28" r="26" strokeWidth="2.5" />
      <path
        className="check-mark-line"
        d="M17 29l7.5 7.5L39.5 21"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        pathLength="1"
      />
    </svg>
  );
}
