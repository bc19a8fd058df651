import { spawnSync } from 'node:child_process';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { describeWithBrowser, enterBrowser, leaveBrowser } from '../../support/services/browser.js';
import { ReusedPages } from '../../browser/support/reused-pages.js';
import { withoutBlur } from '../../browser/support/without-blur.js';
import { startTwoOrigins, type TwoOrigins } from './two-origins.js';

export const STATE_ID = '3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b';
/** Another site. */
export const BANK = 'https://bank.example/';

interface Heard {
  from: string;
  type: string;
  payload: Record<string, unknown>;
}

/** An app with the SDK and a stand-in for the hosted app, at two origins, with a browser context for each test. */
export class SdkInBrowser {
  origins!: TwoOrigins;
  browser!: Browser;
  context!: BrowserContext;
  /** The window of the test that has no address yet. */
  private unused: Page | undefined;
  private readonly pages = new ReusedPages(async () =>
    (await withoutBlur(await this.browser.newContext({ reducedMotion: 'reduce' }))).newPage(),
  );

  async start(): Promise<void> {
    const built = spawnSync(process.execPath, ['tools/build-packages.mjs', '--quiet'], {
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(built.stderr);
    this.origins = await startTwoOrigins();
    this.browser = await enterBrowser();
  }

  async stop(): Promise<void> {
    await leaveBrowser(this.browser);
    await this.origins.stop();
  }

  async beginTest(): Promise<void> {
    this.unused = await this.pages.take();
    this.context = this.unused.context();
  }

  async endTest(): Promise<void> {
    await this.context.unrouteAll({ behavior: 'ignoreErrors' });
    await this.pages.releaseAll();
  }

  async goTo(path: string, inContext = this.context): Promise<Page> {
    const first = inContext === this.context ? this.unused : undefined;
    if (first !== undefined) this.unused = undefined;
    const page = first ?? (await inContext.newPage());
    await page.goto(this.origins.app + path);
    return page;
  }

  /** The frame of the hosted app, once it is ready. */
  async hostedApp(page: Page): Promise<Frame> {
    await until(page, 'window.calls?.some(([name]) => name === "ready") === true');
    const frame = page.frames().find((each) => each.url().startsWith(this.origins.connectBaseUrl));
    if (frame === undefined) throw new Error('Connect has no frame');
    return frame;
  }

  async open(path = '/', inContext = this.context): Promise<{ page: Page; frame: Frame }> {
    const page = await this.goTo(path, inContext);
    await page.click('#link');
    return { page, frame: await this.hostedApp(page) };
  }

  returnAddress(extra = ''): string {
    return `${this.origins.app}/bank-return?oauth_state_id=${STATE_ID}${extra}`;
  }

  /** The bank redirects the window back at once, or leaves it there. */
  bankThatReturnsTo(address: string | undefined): Promise<unknown> {
    return this.context.route(`${BANK}**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body:
          address === undefined
            ? 'The bank'
            : `<script>location.replace(${JSON.stringify(address)})</script>`,
      }),
    );
  }
}

/** A group of tests with an installed browser; without one, the jsdom tests must suffice. */
export function describeSdkInBrowser(tests: (sdk: SdkInBrowser) => void): void {
  describeWithBrowser('The SDK in a browser, with two origins', () => {
    const sdk = new SdkInBrowser();
    beforeAll(() => sdk.start());
    afterAll(() => sdk.stop());
    beforeEach(() => sdk.beginTest());
    afterEach(() => sdk.endTest());
    tests(sdk);
  });
}

/** Evaluated from outside, because under a strict policy the page itself can evaluate nothing. */
export function until(page: Page, condition: string): Promise<void> {
  return eventually(async () => {
    if ((await page.evaluate(condition)) !== true)
      throw new Error(`${page.url()} does not fulfill ${condition}`);
  });
}

/** The messages that the hosted app received. */
export async function heard(frame: Frame): Promise<Heard[]> {
  return ((await frame.textContent('#heard')) ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Heard);
}

/** The callbacks that the SDK called, by name. */
export const names = (page: Page): Promise<string[]> =>
  page.evaluate('window.calls.map(([name]) => name)');

/** Presses the button that leads to a bank, which redirects to this page at once. */
export async function goToBank(page: Page, frame: Frame, address: string): Promise<Page> {
  await frame.evaluate(`window.bankAddress = ${JSON.stringify(address)}`);
  const [popup] = await Promise.all([page.waitForEvent('popup'), frame.click('#bank')]);
  return popup;
}

/** Ends the flow. Removing the frame often aborts the click that caused it. */
export async function finish(page: Page, frame: Frame): Promise<void> {
  await frame.evaluate('done.click()').catch((error: Error) => {
    if (!frame.isDetached()) throw error;
  });
  await until(page, '!window.connect.isOpen');
}
