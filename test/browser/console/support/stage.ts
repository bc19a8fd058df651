import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  describeWithBrowser,
  enterBrowser,
  leaveBrowser,
  patiently,
} from '../../../support/services/browser.js';
import { operate } from '../../../support/actors/operator.js';
import { shareService, type SharedService } from '../../../support/fixtures/shared-service.js';

export interface ConsoleStage {
  service: SharedService;
  /** The origin of the console. */
  url: string;
  /** A page in a browser context of its own, and what went wrong on it. */
  newPage(options?: BrowserContextOptions): Promise<{ page: Page; faults: string[] }>;
  /** A link that signs one browser in, once. */
  oneTimeLink(...options: string[]): Promise<string>;
  /** Signs in as an operator, and waits for the first page. */
  signIn(page: Page): Promise<void>;
}

/** A group of tests with the whole service and its console, in a browser. Without one it is skipped, counted and reported. */
export function describeConsole(name: string, tests: (stage: ConsoleStage) => void): void {
  describeWithBrowser(name, () => {
    const stage = {} as ConsoleStage;
    let browser: Browser;
    beforeAll(async () => {
      [browser, stage.service] = await Promise.all([enterBrowser(), shareService()]);
      stage.url = stage.service.info.console_url ?? '';
    });
    afterAll(() => leaveBrowser(browser));
    stage.newPage = async (options = {}) => {
      const context = await patiently(
        browser.newContext({
          viewport: { width: 1_280, height: 800 },
          locale: 'en-US',
          reducedMotion: 'reduce',
          ...options,
        }),
      );
      const page = await context.newPage();
      return { page, faults: faultsOf(page) };
    };
    stage.oneTimeLink = async (...options) => {
      const { dataDir } = stage.service;
      return (await operate<{ url: string }>(dataDir, 'console', 'sign-in', ...options)).url;
    };
    stage.signIn = async (page) => {
      await page.goto(await stage.oneTimeLink('--label', 'ada'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { level: 1, name: 'The instance' }).waitFor();
    };
    tests(stage);
  });
}

/** Errors of the page and of its console, such as a violation of its policy. */
function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  return faults;
}
