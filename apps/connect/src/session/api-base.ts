/**
 * The address of the session calls. The service writes another address into the page when the app
 * is not hosted beside them.
 */
export function apiBase(): string {
  const written =
    document.querySelector<HTMLMetaElement>('meta[name="connect-api"]')?.content ?? '';
  return new URL(written === '' ? './api' : written, document.baseURI).href.replace(/\/$/, '');
}
