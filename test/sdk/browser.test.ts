import { eventually } from '../support/assertions/eventually.js';
import {
  describeSdkInBrowser,
  finish,
  goToBank,
  heard,
  names,
  STATE_ID,
  until,
} from './support/sdk-in-browser.js';
import { representatives } from '../support/runner/representatives.js';

describeSdkInBrowser((sdk) => {
  it('opens over the whole page, passes the embedding origin to the app, and leaves nothing behind', async () => {
    const { page, frame } = await sdk.open();
    expect(await heard(frame)).toMatchObject([
      {
        from: sdk.origins.app,
        type: 'init',
        payload: { link_session_token: 'token', options: { platform: 'web' } },
      },
    ]);
    expect(frame.url()).not.toContain('token');
    const box = await page.locator('iframe').boundingBox();
    const scrollable = () => page.evaluate('getComputedStyle(document.documentElement).overflow');
    expect(box).toMatchObject({ x: 0, y: 0, height: page.viewportSize()?.height });
    expect(await scrollable()).toBe('hidden');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    await finish(page, frame);
    expect(await names(page)).toEqual(['ready', 'event', 'success']);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await scrollable()).toBe('visible');
    expect(await page.evaluate('document.activeElement.id')).toBe('link');
  });

  it('continues in the window that started when the bank returns to the popup', async () => {
    const { page, frame } = await sdk.open();
    const popup = await goToBank(page, frame, sdk.returnAddress());
    await eventually(() => {
      expect(popup.isClosed()).toBe(true);
    });
    // From the popup itself: its origin, not the port of the page.
    expect((await heard(frame)).at(-1)).toEqual({
      from: sdk.origins.app,
      type: 'resume',
      payload: { url: sdk.returnAddress() },
    });
    expect(await names(page)).toEqual(['ready']);
  });

  it('continues in another browser, where no window responds', async () => {
    const other = await sdk.browser.newContext();
    const { frame: first } = await sdk.open();
    const page = await sdk.goTo(`/bank-return?oauth_state_id=${STATE_ID}`, other);
    const frame = await sdk.hostedApp(page);
    expect(frame.url()).toMatch(`${sdk.origins.connectBaseUrl}/continue#channel=`);
    expect(await heard(frame)).toMatchObject([
      { type: 'init', payload: { continue_url: sdk.returnAddress() } },
    ]);
    expect((await heard(frame))[0]?.payload).not.toHaveProperty('link_session_token');
    expect(await heard(first)).toHaveLength(1);
    await finish(page, frame);
    expect(await names(page)).toEqual(['ready', 'event', 'success']);
    await other.close();
  });

  // connect 13, check 6
  it('ignores messages of other windows', async () => {
    const page = await sdk.goTo('/');
    await page.evaluate(`new Promise((resolve) => {
      const foreign = document.createElement('iframe');
      foreign.src = ${JSON.stringify(`${sdk.origins.connectBaseUrl}/start#channel=AAAAAAAAAAAAAAAAAAAAAA`)};
      foreign.onload = resolve;
      document.body.append(foreign);
    })`);
    await page.click('#link');
    const frame = page
      .frames()
      .find(
        (each) => each.url().startsWith(sdk.origins.connectBaseUrl) && !each.url().endsWith('AAAA'),
      );
    const channel = new URL(frame?.url() ?? 'about:blank').hash.replace('#channel=', '');
    await until(page, 'window.calls.length === 1');
    const foreign = page.frames().find((each) => each.url().endsWith('AAAA'));
    for (const type of ['hello', 'success', 'exit']) {
      await foreign?.evaluate(
        `parent.postMessage({ ns: 'connect', v: 1, channel: ${JSON.stringify(channel)}, type: '${type}', payload: { mode: 'link', exchangeable_token: 'forged', reason: 'error' } }, '*')`,
      );
      await page.evaluate(
        `postMessage({ ns: 'connect', v: 1, channel: ${JSON.stringify(channel)}, type: '${type}', payload: { mode: 'link', exchangeable_token: 'forged', reason: 'error' } }, '*')`,
      );
    }
    // Messages of a window arrive in order: once this one arrives, the forged ones have, too.
    await page.evaluate(
      `new Promise((resolve) => { addEventListener('message', ({ data }) => data === 'last' && resolve()); postMessage('last', '*'); })`,
    );
    expect(await foreign?.textContent('#heard')).toBe('');
    expect(await names(page)).toEqual(['ready']);
    expect(await page.evaluate('window.connect.isOpen')).toBe(true);
  });

  it('continues without the token in a tab that did not open the flow', async () => {
    const { page } = await sdk.open();
    const other = await sdk.goTo('/');
    await page.close();
    await other.goto(sdk.returnAddress());
    const [init] = await heard(await sdk.hostedApp(other));
    expect(init?.payload).toMatchObject({ continue_url: sdk.returnAddress() });
    expect(init?.payload).not.toHaveProperty('link_session_token');
  });

  it.each(representatives(['/?csp', '/?csp&nonce=n0nce'], (path) => path === '/?csp'))(
    'covers the page under a strict content security policy: %s',
    async (path) => {
      const blurred = await sdk.browser.newContext();
      const { page, frame } = await sdk.open(path, blurred);
      const layer = page.locator('[data-tributary-connect]');
      const size = page.viewportSize();
      expect(await layer.boundingBox()).toEqual({ x: 0, y: 0, ...size });
      const blur = await layer.evaluate((element) => getComputedStyle(element).backdropFilter);
      expect(blur).toBe(path.includes('nonce') ? 'blur(4px)' : 'none');
      await finish(page, frame);
      await blurred.close();
    },
  );
});
