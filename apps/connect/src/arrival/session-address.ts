/** The session of this tab: a bank returns the user to an address without it. */
const KEY = 'tributary-connect-session';

/**
 * The session that the page may reopen: that of its address, else the last one of the tab. A new
 * address replaces it, even if its session is not opened.
 */
export function keptSession({
  isNew,
  inAddress,
}: {
  isNew: boolean;
  inAddress: string | null;
}): string | null {
  if (!isNew) return inAddress ?? inTab((storage) => storage.getItem(KEY));
  inTab((storage) => storage.removeItem(KEY));
  return null;
}

/**
 * From here a reload reopens the session, also after the browser has discarded the tab. The id is not
 * a secret: it opens nothing without the cookie of the browser (connect 4, "Reopening").
 */
export function keepSession(sessionId: string): void {
  history.replaceState(null, '', `${location.pathname}#session=${encodeURIComponent(sessionId)}`);
  inTab((storage) => storage.setItem(KEY, sessionId));
}

/** Another address of the hosted page in this tab changes only the fragment, which loads nothing. */
export function hearNewAddress(): void {
  window.addEventListener('hashchange', () => location.reload());
}

function inTab<Value>(use: (storage: Storage) => Value): Value | null {
  try {
    return use(sessionStorage);
  } catch {
    // Blocked storage is the same as an empty one.
    return null;
  }
}
