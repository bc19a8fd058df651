import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../../../support/assertions/eventually.js';
import { violations } from './check-screens.js';
import { openingPage } from './sdk-page.js';
import { startPageServer, type Running } from './servers.js';
import { describeInBrowser } from './stage.js';

const PICTURES = fileURLToPath(new URL('../../../../test-results/connect/', import.meta.url));

export interface LoadingCircumstance {
  context?: BrowserContextOptions;
  options?: object;
}

/** Loads nothing, and checks the screens that the SDK shows meanwhile and afterwards. */
export function checkLoadingScreens(
  circumstances: Record<string, LoadingCircumstance>,
  { textSize }: { textSize?: number } = {},
): void {
  describeInBrowser(
    'The screens before Connect is loaded',
    (stage) => {
      let pages: Running;
      beforeAll(async () => {
        pages = await startPageServer({ '/': openingPage });
      });
      afterAll(() => pages.stop());

      it.each(Object.keys(circumstances))(
        'are complete, fit the window and pass their checks: %s',
        async (name) => {
          const { context = {}, options = {} } = circumstances[name] ?? {};
          const page = await stage.newPage(context);
          await page.clock.install();
          await page.route('**/connect/start', () => undefined);
          const query = new URLSearchParams({
            base: `${stage.connect.origin}/connect`,
            options: JSON.stringify(options),
          });
          await page.goto(`${pages.origin}/?${query}`);
          await page.click('#open');
          await page.clock.fastForward(1_000);
          await check(page, 1, `loading.${name}`);
          await page.clock.fastForward(9_000);
          await check(page, 2, `not-loaded.${name}`);
        },
      );
    },
    textSize === undefined ? {} : { textSize },
  );
}

async function check(page: Page, buttons: number, picture: string): Promise<void> {
  const card = page.locator('[data-tributary-connect] .card');
  await eventually(async () => expect(await card.locator('button').count()).toBe(buttons));
  if (process.env['LONG_RUNS']) {
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${picture}.png`) });
  }
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const part of [card, ...(await card.locator('p, button').all())]) {
    await part.scrollIntoViewIfNeeded();
    const box = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
  }
  expect(await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await violations(page.mainFrame())).toEqual([]);
}
