import type { ReactElement } from 'react';

/** Turns while something is in progress; the text beside it says what. */
export function Spinner(): ReactElement {
  return <div className="spinner" aria-hidden="true" />;
}
