import type { Page, Route } from 'playwright-core';
import { HOSTILE_TEXTS } from '../../support/fixtures/hostile-texts.js';
import { setAppearance, sidewaysOverflow, WIDTHS } from './support/appearance.js';
import { placeOfScreens } from './support/place.js';
import { SCREENS, type ScreenPlace } from './support/screens.js';
import { describeConsole } from './support/stage.js';

/** Fields whose text a bank, a user, a receiver or an operator writes. */
const FOREIGN =
  /^(name|institution_name|app_name|label|reason|message|error_message|excerpt|response_excerpt|description|customer_user_id|tags|actor|subject|cause|detail|title|remedy)$/;

const MARKUP = '<img src=x onerror="window.harmed = true"><script>window.harmed = true</script>';
const TEXT = [MARKUP, ...Object.values(HOSTILE_TEXTS), 'A'.repeat(10_000)].join(' ');

describeConsole('A foreign text on a screen of the console', (stage) => {
  let place: ScreenPlace;
  let page: Page;
  let faults: string[];
  /** Fields that were replaced since the last screen. */
  let replaced = 0;
  beforeAll(async () => {
    place = await placeOfScreens(stage.service);
    ({ page, faults } = await stage.newPage());
    await stage.signIn(page);
    await page.route('**/api/**', writeEverywhere);
  });
  afterAll(() => page?.context().close());

  async function writeEverywhere(route: Route): Promise<void> {
    const response = await route.fetch();
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json') || response.status() >= 300) return route.fulfill({ response });
    const body = JSON.stringify(await response.json(), (name, value: unknown) => {
      if (!FOREIGN.test(name)) return value;
      if (typeof value !== 'string' && !Array.isArray(value)) return value;
      replaced += 1;
      return typeof value === 'string' ? TEXT : [TEXT];
    });
    return route.fulfill({ response, body });
  }

  it.each(Object.entries(SCREENS).map(([name, screen]) => ({ name, ...screen })))(
    'is shown as text, and neither runs nor widens the page: $name',
    async ({ at }) => {
      replaced = 0;
      await page.goto(stage.url + at(place));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of WIDTHS) {
        await setAppearance(page, 'light', width);
        expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
      }
      expect(replaced).toBeGreaterThan(0);
      expect(await page.locator('body').innerText()).toContain('<img src=x onerror=');
      expect(await page.getByRole('heading', { name: 'This page has a fault' }).count()).toBe(0);
      expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
      expect(faults.splice(0)).toEqual([]);
    },
  );
});
