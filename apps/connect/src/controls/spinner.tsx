import type { ReactElement } from 'react';

/** Turns while something is being done; the words beside it say what. */
export function Spinner(): ReactElement {
  return <div className="spinner" aria-hidden="true" />;
}
