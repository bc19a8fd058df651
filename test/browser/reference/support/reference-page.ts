import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  describeWithBrowser,
  enterBrowser,
  leaveBrowser,
} from '../../../support/services/browser.js';
import { startApiInProcess, type ApiInProcess } from '../../../support/services/api-in-process.js';

interface ReferenceStage {
  /** A page in its own browser context, without an address. */
  newPage(options: BrowserContextOptions): Promise<Page>;
  /** A page at the reference. */
  open(options: BrowserContextOptions, anchor?: string): Promise<Page>;
  address(): string;
}

export const WIDE = { viewport: { width: 1_440, height: 900 } };

/** A group of tests with the reference as the API serves it. */
export function describeReference(tests: (stage: ReferenceStage) => void): void {
  describeWithBrowser('The API reference at /docs', () => {
    let browser: Browser;
    let service: ApiInProcess;
    const pages: Page[] = [];
    beforeAll(async () => {
      [browser, service] = await Promise.all([enterBrowser(), startApiInProcess({})]);
    });
    afterEach(async () => {
      await Promise.all(pages.splice(0).map((page) => page.context().close()));
    });
    afterAll(async () => {
      await leaveBrowser(browser);
      await service.close();
    });

    const address = () => `${service.api.baseUrl}/docs`;
    const newPage = async (options: BrowserContextOptions): Promise<Page> => {
      const page = await (await browser.newContext(options)).newPage();
      pages.push(page);
      return page;
    };
    tests({
      address,
      newPage,
      open: async (options, anchor = '') => {
        const page = await newPage(options);
        await page.goto(address() + anchor);
        return page;
      },
    });
  });
}
