import type { ReactNode } from 'react';
import type { Texts } from '../texts/texts.js';
import { Arrival } from './arrival.js';

/** The hash of the last token whose button was pressed in this tab; never the token (connect 12). */
const KEY = 'tributary-connect-pressed';

/**
 * Resolves once a person has pressed the button for this token, in this tab. The first opening binds
 * a hosted address to its browser, and programs that scan mail load pages and run their scripts.
 * Source: connect 2.
 */
export async function waitForPerson(
  token: string,
  texts: Texts,
  render: (screen: ReactNode) => void,
): Promise<void> {
  const mark = await markOf(token);
  if (mark !== null && readMark() === mark) return;
  await new Promise<void>((resolve) => {
    render(<Arrival texts={texts} onContinue={resolve} />);
  });
  if (mark !== null) keepMark(mark);
}

/** Null on an origin that is not secure, where browsers have no hash: there the page asks each time. */
async function markOf(token: string): Promise<string | null> {
  const { subtle } = crypto as Partial<Crypto>;
  if (subtle === undefined) return null;
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(token));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function readMark(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    // Blocked storage is the same as an empty one.
    return null;
  }
}

function keepMark(mark: string): void {
  try {
    sessionStorage.setItem(KEY, mark);
  } catch {
    // Blocked or full: the address has to be confirmed again.
  }
}
