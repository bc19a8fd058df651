import type { BrowserContextOptions } from 'playwright-core';
import { violations } from '../connect-app/support/check-screens.js';
import { describeReference, WIDE } from './support/reference-page.js';

describeReference(({ open }) => {
  it.each<[string, BrowserContextOptions]>([
    ['in a wide window, light', WIDE],
    ['in a wide window, dark', { ...WIDE, colorScheme: 'dark' }],
    ['320 px wide', { viewport: { width: 320, height: 640 } }],
  ])('fits the window and has no violation of axe %s', async (_case, options) => {
    const page = await open(options);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0);
    await page.evaluate(keepFirstOfEachGroup);
    expect(await violations(page.mainFrame())).toEqual([]);
  });

  it('shows the text of a call beside its request and response', async () => {
    const page = await open(WIDE, '#links.get');
    const call = page.locator('[id="links.get"]');
    const [heading, samples] = await Promise.all([
      call.locator('h3').boundingBox(),
      call.locator('.samples').boundingBox(),
    ]);
    expect(samples?.x).toBeGreaterThan(heading?.x ?? Infinity);
    await expect(call.locator('.samples pre').first().innerText()).resolves.toMatch(
      /^curl '.*\/links\/ID' \\\n {2}-H "Authorization: Bearer \$ACCESS_TOKEN"$/,
    );
  });

  it('is used by keyboard: past the navigation, to a call, and to the remedy of its error', async () => {
    const page = await open(WIDE);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Tokens');
    await page.locator('nav a[href="#links.get"]').focus();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#links.get');
    await page.locator('[id="links.get"] summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('[id="links.get"] a[href="#error-link_error.not_found"]').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator(':target').innerText()).toContain('link_error.not_found');
  });
});

/** The sections of a group are rendered alike, and axe takes seconds for all of them. */
function keepFirstOfEachGroup(): void {
  const removed = document.querySelectorAll('.group > section:not(:nth-of-type(-n + 2))');
  const ids = new Set([...removed].map(({ id }) => `#${id}`));
  for (const section of removed) section.remove();
  for (const link of document.querySelectorAll('a[href^="#"]'))
    if (ids.has(link.getAttribute('href') ?? '')) link.removeAttribute('href');
}
