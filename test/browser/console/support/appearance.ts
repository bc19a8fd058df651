import type { Page } from 'playwright-core';
import { violations } from '../../connect-app/support/check-screens.js';

export const THEMES = ['light', 'dark', 'forced colors'] as const;
export const WIDTHS = [1_280, 320] as const;
export type Theme = (typeof THEMES)[number];
export type Width = (typeof WIDTHS)[number];

/** The theme of a place in a list: each occurs as often as the others. */
export const themeByTurn = (index: number): Theme => THEMES[index % THEMES.length] ?? 'light';

/** Shows the page in colors and a width, without loading it again. */
export async function setAppearance(page: Page, theme: Theme, width: Width): Promise<void> {
  await page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    forcedColors: theme === 'forced colors' ? 'active' : 'none',
    reducedMotion: 'reduce',
  });
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction(
    (appearance) => document.documentElement.dataset['appearance'] === appearance,
    theme === 'dark' ? 'dark' : 'light',
  );
}

/** The number of pixels by which the page is wider than its window (WCAG 2.2, 1.4.10). */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What axe finds, with the circumstances in which it does. */
export const faultsOf = async (page: Page, theme: Theme, width: Width): Promise<string[]> =>
  (await violations(page.mainFrame())).map((fault) => `${theme}, ${width} px: ${fault}`);
