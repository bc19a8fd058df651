/*
 * A file of its own, so small that it runs before the others have arrived: it reports to the SDK
 * around the page that the page and its files do arrive, however slowly (connect 8). An import would
 * make it wait for the first load.
 */
const channel = new URLSearchParams(location.hash.slice(1)).get('channel');
if (channel !== null && window.parent !== window) {
  const report = (): void =>
    window.parent.postMessage({ ns: 'connect', v: 1, channel, type: 'progress', payload: {} }, '*');
  report();
  const files = new PerformanceObserver(report);
  files.observe({ type: 'resource', buffered: true });
  // The first message is the answer to `hello`: the app is loaded.
  window.addEventListener('message', () => files.disconnect(), { once: true });
}
export {};
