import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  describeWithBrowser,
  enterBrowser,
  launchWithTextSize,
  leaveBrowser,
  patiently,
} from '../../../support/services/browser.js';
import { AppBackEnd } from '../../../support/actors/link-journey.js';
import {
  shareService,
  startOwnService,
  type SharedService,
} from '../../../support/fixtures/shared-service.js';
import { Standalone } from '../../../support/services/standalone.js';
import { ReusedPages } from '../../support/reused-pages.js';
import { withoutBlur } from '../../support/without-blur.js';
import type { Running } from '../../connect-app/support/servers.js';
import { startJourneyPages } from './journey-pages.js';
import { Person } from './person.js';

export interface JourneyStage {
  browser: Browser;
  service: SharedService;
  app: AppBackEnd;
  /** Pages of the app, at another origin than Connect. */
  pages: Running;
  /** Opens a page in its own browser context. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Creates a session, of a new user by default. @returns its token */
  session(fields?: Record<string, unknown>): Promise<string>;
  /** Opens Connect on the page, by default in a new browser context. */
  open(
    token: string,
    options?: { page?: Page; sdk?: Record<string, unknown>; context?: BrowserContextOptions },
  ): Promise<Person>;
  person(page: Page): Promise<Person>;
}

/** The defaults of a session's request, so that the consent screen has content. */
export const SESSION_DEFAULTS = {
  settings: { products: ['identity', 'transactions'] },
  products_settings: {
    transactions: { required: true, prefetch: true, reason: 'sort your spending' },
    identity: { reason: 'greet you by your name' },
  },
};

/**
 * A group of tests with the whole service behind one browser: database, Temporal, worker, banks,
 * the hosted app as the API serves it, and an app's pages on the SDK. Without a browser it is
 * skipped, counted and reported.
 * @param settings of the service; files with the same ones share it, unless it is the file's `own`
 * @param textSize of the reader, in a browser of its own
 */
export function describeJourneys(
  name: string,
  tests: (stage: JourneyStage) => void,
  {
    settings = {},
    own = false,
    textSize,
  }: { settings?: Record<string, string>; own?: boolean; textSize?: number } = {},
): void {
  describeWithBrowser(name, () => {
    const stage = {} as JourneyStage;
    const contexts = new Set<BrowserContext>();
    // Without animations every screen is stable as soon as it appears.
    const newContext = async (options: BrowserContextOptions = {}) =>
      withoutBlur(
        await patiently(
          stage.browser.newContext({
            viewport: { width: 900, height: 800 },
            locale: 'en-US',
            reducedMotion: 'reduce',
            ...options,
          }),
        ),
      );
    const pages = new ReusedPages(async () => (await newContext()).newPage());
    beforeAll(async () => {
      [stage.browser, stage.service] = await Promise.all([
        textSize === undefined ? enterBrowser() : launchWithTextSize(textSize),
        (own ? startOwnService : shareService)(settings),
      ]);
      stage.app = new AppBackEnd(stage.service.info.base_url, stage.service.app.sandbox);
      stage.pages = await startJourneyPages(stage.service.info.connect_base_url);
      stage.newPage = async (options) => {
        if (options === undefined) return pages.take();
        const context = await newContext(options);
        contexts.add(context);
        return context.newPage();
      };
      stage.session = async (fields = {}) => {
        const asked = {
          customer_user: { id: randomUUID() },
          redirect_uri: `${stage.pages.origin}/bank-return`,
          ...SESSION_DEFAULTS,
          ...fields,
        };
        return (await stage.app.createSession(asked)).link_session_token;
      };
      stage.person = (page) => Person.at(page, stage.service.info.connect_base_url);
      stage.open = async (token, { page: given, sdk = {}, context } = {}) => {
        const page = given ?? (await stage.newPage(context));
        await page.goto(`${stage.pages.origin}/`);
        await page.waitForFunction(() => 'openConnect' in window);
        await page.evaluate(
          ([opened, options]) => {
            (
              window as unknown as { openConnect: (token: unknown, options: unknown) => void }
            ).openConnect(opened, options);
          },
          [token, sdk] as const,
        );
        return stage.person(page);
      };
    });
    afterEach(async () => {
      await Promise.all([...contexts].map((context) => context.close()));
      contexts.clear();
      await pages.releaseAll();
    });
    afterAll(async () => {
      await leaveBrowser(stage.browser);
      if (textSize !== undefined) await stage.browser.close();
      await stage.pages?.stop();
      if (stage.service instanceof Standalone) await stage.service.dispose();
    });
    tests(stage);
  });
}
