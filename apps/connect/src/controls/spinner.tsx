import type { ReactElement } from 'react';

/** Turns during work in progress; the text beside it names the work. */
export function Spinner(): ReactElement {
  return <div className="spinner" aria-hidden="true" />;
}
