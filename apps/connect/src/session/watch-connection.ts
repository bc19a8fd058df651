/**
 * Reports a lost network when the browser notices it, which is long before a call in progress fails.
 * Waiting calls continue when it is back (pause.ts), and correct a browser that was wrong.
 */
export function watchConnection(report: (online: boolean) => void): void {
  window.addEventListener('offline', () => report(false));
  window.addEventListener('online', () => report(true));
  if (!navigator.onLine) report(false);
}
