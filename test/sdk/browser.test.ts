import { spawnSync } from 'node:child_process';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { eventually } from '../support/assertions/eventually.js';
import { describeWithBrowser, enterBrowser, leaveBrowser } from '../support/services/browser.js';
import { ReusedPages } from '../browser/support/reused-pages.js';
import { startTwoOrigins, type TwoOrigins } from './support/two-origins.js';
import { representatives } from '../support/runner/representatives.js';

const STATE_ID = '3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b';

const BANK = 'https://bank.example/';

interface Heard {
  from: string;
  type: string;
  payload: Record<string, unknown>;
}

// Uses an installed browser; without one, the jsdom tests must suffice.
describeWithBrowser('The SDK in a browser, with two origins', () => {
  let origins: TwoOrigins;
  let browser: Browser;
  let context: BrowserContext;
  /** The window of the test that has no address yet. */
  let unused: Page | undefined;
  const pages = new ReusedPages(async () => (await browser.newContext()).newPage());

  beforeAll(async () => {
    const built = spawnSync(process.execPath, ['tools/build-packages.mjs', '--quiet'], {
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(built.stderr);
    origins = await startTwoOrigins();
    browser = await enterBrowser();
  });
  afterAll(async () => {
    await leaveBrowser(browser);
    await origins.stop();
  });
  beforeEach(async () => {
    unused = await pages.take();
    context = unused.context();
  });
  afterEach(async () => {
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await pages.releaseAll();
  });

  const goTo = async (path: string, inContext = context): Promise<Page> => {
    const first = inContext === context ? unused : undefined;
    if (first !== undefined) unused = undefined;
    const page = first ?? (await inContext.newPage());
    await page.goto(origins.app + path);
    return page;
  };
  // Evaluated from outside, because under a strict policy the page itself can evaluate nothing.
  const until = (page: Page, condition: string): Promise<void> =>
    eventually(async () => {
      if ((await page.evaluate(condition)) !== true)
        throw new Error(`${page.url()} does not fulfill ${condition}`);
    });
  const hostedApp = async (page: Page): Promise<Frame> => {
    await until(page, 'window.calls?.some(([name]) => name === "ready") === true');
    const frame = page.frames().find((each) => each.url().startsWith(origins.connectBaseUrl));
    if (frame === undefined) throw new Error('Connect has no frame');
    return frame;
  };
  const open = async (path = '/'): Promise<{ page: Page; frame: Frame }> => {
    const page = await goTo(path);
    await page.click('#link');
    return { page, frame: await hostedApp(page) };
  };
  const heard = async (frame: Frame): Promise<Heard[]> =>
    ((await frame.textContent('#heard')) ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Heard);
  const names = (page: Page): Promise<string[]> =>
    page.evaluate('window.calls.map(([name]) => name)');
  /** Presses the button that leads to a bank, which redirects to this page at once. */
  const goToBank = async (page: Page, frame: Frame, address: string): Promise<Page> => {
    await frame.evaluate(`window.bankAddress = ${JSON.stringify(address)}`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), frame.click('#bank')]);
    return popup;
  };
  /** Removing the frame often aborts the click that caused it. */
  const finish = async (page: Page, frame: Frame): Promise<void> => {
    await frame.evaluate('done.click()').catch((error: Error) => {
      if (!frame.isDetached()) throw error;
    });
    await until(page, '!window.connect.isOpen');
  };
  /** Another site, which redirects the window back at once, or leaves it there. */
  const bankThatReturnsTo = (address: string | undefined): Promise<unknown> =>
    context.route(`${BANK}**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body:
          address === undefined
            ? 'The bank'
            : `<script>location.replace(${JSON.stringify(address)})</script>`,
      }),
    );
  const returnAddress = (extra = '') =>
    `${origins.app}/bank-return?oauth_state_id=${STATE_ID}${extra}`;

  it('opens over the whole page, passes the embedding origin to the app, and leaves nothing behind', async () => {
    const { page, frame } = await open();
    expect(await heard(frame)).toMatchObject([
      {
        from: origins.app,
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
    const { page, frame } = await open();
    const popup = await goToBank(page, frame, returnAddress());
    await eventually(() => {
      expect(popup.isClosed()).toBe(true);
    });
    // From the popup itself: its origin, not the port of the page.
    expect((await heard(frame)).at(-1)).toEqual({
      from: origins.app,
      type: 'resume',
      payload: { url: returnAddress() },
    });
    expect(await names(page)).toEqual(['ready']);
  });

  it('finds the window that started through the page when the popup lost its opener', async () => {
    const { page, frame } = await open();
    const popup = await goToBank(page, frame, returnAddress('&coop'));
    await eventually(async () => {
      expect((await heard(frame)).at(-1)?.type).toBe('resume');
    });
    await eventually(() => {
      expect(popup.isClosed()).toBe(true);
    });
    expect((await heard(frame)).at(-1)).toEqual({
      from: 'port',
      type: 'resume',
      payload: { url: returnAddress('&coop') },
    });
    expect(await names(page)).toEqual(['ready']);
  });

  it('continues in another browser, where no window responds', async () => {
    const other = await browser.newContext();
    const { frame: first } = await open();
    const page = await goTo(`/bank-return?oauth_state_id=${STATE_ID}`, other);
    const frame = await hostedApp(page);
    expect(frame.url()).toMatch(`${origins.connectBaseUrl}/continue#channel=`);
    expect(await heard(frame)).toMatchObject([
      { type: 'init', payload: { continue_url: returnAddress() } },
    ]);
    expect((await heard(frame))[0]?.payload).not.toHaveProperty('link_session_token');
    expect(await heard(first)).toHaveLength(1);
    await finish(page, frame);
    expect(await names(page)).toEqual(['ready', 'event', 'success']);
    await other.close();
  });

  // connect 13, check 6
  it('ignores messages of other windows', async () => {
    const page = await goTo('/');
    await page.evaluate(`new Promise((resolve) => {
      const foreign = document.createElement('iframe');
      foreign.src = ${JSON.stringify(`${origins.connectBaseUrl}/start#channel=AAAAAAAAAAAAAAAAAAAAAA`)};
      foreign.onload = resolve;
      document.body.append(foreign);
    })`);
    await page.click('#link');
    const frame = page
      .frames()
      .find(
        (each) => each.url().startsWith(origins.connectBaseUrl) && !each.url().endsWith('AAAA'),
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

  const kinds = [
    ['a page like any other', ''],
    ['a page that cuts off every opener', '&coop'],
  ] as const;
  it.each(representatives(kinds, ([, extra]) => extra === '&coop'))(
    'navigates the page itself to the bank, and continues with the token of the tab on %s',
    async (_, extra) => {
      await bankThatReturnsTo(returnAddress(extra));
      const { page, frame } = await open('/?oauthWindow=same');
      await frame.evaluate(
        `port.postMessage({ ns: 'connect', v: 1, channel, type: 'oauth_open', payload: { authorize_url: ${JSON.stringify(BANK)}, window: 'same' } })`,
      );
      await page.waitForURL(returnAddress(extra));
      const back = await hostedApp(page);
      expect(back.url()).toContain('/continue#channel=');
      expect(await heard(back)).toMatchObject([
        {
          type: 'init',
          payload: { continue_url: returnAddress(extra), link_session_token: 'token' },
        },
      ]);
      await finish(page, back);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    },
  );

  it('continues in the popup with the token of its tab when the window that started is closed', async () => {
    await bankThatReturnsTo(undefined);
    const { page, frame } = await open();
    const popup = await goToBank(page, frame, BANK);
    await popup.waitForURL(BANK);
    await page.close();
    await popup.evaluate(`location.href = ${JSON.stringify(returnAddress())}`);
    await popup.waitForURL(returnAddress());
    expect((await heard(await hostedApp(popup)))[0]?.payload).toMatchObject({
      link_session_token: 'token',
    });
  });

  it('continues without the token in a tab that did not open the flow', async () => {
    const { page } = await open();
    const other = await goTo('/');
    await page.close();
    await other.goto(returnAddress());
    const [init] = await heard(await hostedApp(other));
    expect(init?.payload).toMatchObject({ continue_url: returnAddress() });
    expect(init?.payload).not.toHaveProperty('link_session_token');
  });

  it.each(representatives(['/?csp', '/?csp&nonce=n0nce'], (path) => path === '/?csp'))(
    'covers the page under a strict content security policy: %s',
    async (path) => {
      const { page, frame } = await open(path);
      const layer = page.locator('[data-tributary-connect]');
      const size = page.viewportSize();
      expect(await layer.boundingBox()).toEqual({ x: 0, y: 0, ...size });
      const blur = await layer.evaluate((element) => getComputedStyle(element).backdropFilter);
      expect(blur).toBe(path.includes('nonce') ? 'blur(4px)' : 'none');
      await finish(page, frame);
    },
  );
});
