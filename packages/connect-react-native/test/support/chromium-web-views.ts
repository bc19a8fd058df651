import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { browserPath } from './hosted-app';
import { showWebViews, type FakeWebView } from './web-view';

/** A name that is not a secure origin, like the address of a developer's computer for a phone. */
export const LAN_HOST = 'phone.test';

/** Plays the native side of WebViews with pages of Chromium: each has the bridge, and no frame around it. */
export class ChromiumWebViews {
  private shown: Promise<Page> | undefined;

  private constructor(
    private readonly browser: Browser,
    private context: BrowserContext,
  ) {}

  /** Of the WebView that is shown. */
  get page(): Promise<Page> {
    if (this.shown === undefined) throw new Error('no WebView is shown');
    return this.shown;
  }

  static async start(): Promise<ChromiumWebViews> {
    const browser = await chromium.launch({
      executablePath: browserPath as string,
      args: ['--no-sandbox', `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`],
    });
    return new ChromiumWebViews(browser, await newPhone(browser));
  }

  /** From here on, WebViews have the cookies and storage of another phone. */
  async begin(): Promise<void> {
    await this.context.close();
    this.context = await newPhone(this.browser);
    showWebViews((view) => {
      const opened = this.open(view);
      this.shown = opened;
      return () => void opened.then((page) => page.close()).catch(() => undefined);
    });
  }

  /** Loads an address outside of any WebView. */
  async visit(address: string): Promise<void> {
    const page = await this.context.newPage();
    await page.goto(address);
    await page.close();
  }

  async stop(): Promise<void> {
    showWebViews(undefined);
    await this.browser.close();
  }

  private async open(view: FakeWebView): Promise<Page> {
    const page = await this.context.newPage();
    await page.exposeBinding('nativeBridge', ({ frame }, data: string) => {
      view.props.onMessage?.({ nativeEvent: { data, url: frame.url() } } as never);
    });
    await page.addInitScript(
      'window.ReactNativeWebView = { postMessage: (text) => window.nativeBridge(text) };',
    );
    view.run = (script) => void page.evaluate(script).catch(() => undefined);
    await page.goto((view.props.source as { uri: string }).uri);
    return page;
  }
}

async function newPhone(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: 390, height: 780 },
    isMobile: true,
    hasTouch: true,
  });
}
