import type { Frame, Page } from 'playwright-core';
import { eventually } from '../../../support/assertions/eventually.js';

export interface Called {
  name: string;
  payload?: Record<string, unknown>;
}

/** A page that uses the built SDK, for the Connect of its query `base`; `own` is its script. */
export const sdkPage = (
  own: string,
): string => `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><title>App</title></head><body><main style="height: 360px"><h1>App</h1><button id="open">Link a bank</button></main><script type="module">
  import { createConnect } from '/sdk/index.js';
  window.called = [];
  const record = (name) => (payload) => window.called.push({ name, payload });
  const query = new URLSearchParams(location.search);
  const base = query.get('base') ?? window.name;
  window.name = base;
  window.connect = createConnect({
    connectBaseUrl: base, onSuccess: record('success'), onExit: record('exit'), onError: record('error'), onReady: record('ready'),
    ...JSON.parse(query.get('options') ?? '{}'),
  });
  ${own}
</script></body></html>`;

/** Opens Connect by its button. */
export const openingPage = (): string =>
  sdkPage(
    'document.querySelector("#open").onclick = () => window.connect.open({ linkSessionToken: "token_scripted" });',
  );

export const called = (page: Page): Promise<Called[]> =>
  page.evaluate(() => (window as unknown as { called: Called[] }).called);

export const namesOfCalled = async (page: Page): Promise<string[]> =>
  (await called(page)).map(({ name }) => name);

export const frameAt = (page: Page, origin: string): Promise<Frame> =>
  eventually(() => {
    const frame = page.frames().find((each) => each.url().startsWith(origin));
    if (frame === undefined) throw new Error('The frame is not there yet.');
    return frame;
  });
