import type { Locator, Page } from 'playwright-core';
import {
  faultsOf,
  setAppearance,
  sidewaysOverflow,
  WIDTHS,
  type Theme,
  type Width,
} from './appearance.js';
import { OVERLAYS, type Overlay } from './overlays.js';
import { placeOfScreens } from './place.js';
import type { ScreenPlace } from './screens.js';
import { describeConsole } from './stage.js';

/** Opens every menu and dialog with the keyboard in each width; axe looks at it in each of the themes. */
export function checkOverlays(
  themesOf: (index: number) => readonly Theme[],
  isChecked: (index: number, width: Width) => boolean,
): void {
  describeConsole('Every menu and dialog of the console', (stage) => {
    let place: ScreenPlace;
    let page: Page;
    let faults: string[];
    beforeAll(async () => {
      place = await placeOfScreens(stage.service);
      ({ page, faults } = await stage.newPage());
      await stage.signIn(page);
    });
    afterAll(() => page?.context().close());

    it.each(Object.entries(OVERLAYS).map(([name, overlay], index) => ({ name, index, overlay })))(
      'opens by the keyboard, keeps the focus, returns it, and axe finds nothing: $name',
      async ({ overlay, index }) => {
        const found: string[] = [];
        await page.goto(stage.url + overlay.at(place));
        await page.getByRole('heading', { level: 1 }).waitFor();
        const [theme = 'light'] = themesOf(index);
        for (const width of WIDTHS.filter((each) => (overlay.onlyAt ?? each) === each)) {
          await setAppearance(page, theme, width);
          const shown = await open(page, overlay);
          expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
          for (const each of isChecked(index, width) || overlay.onlyAt === width
            ? themesOf(index)
            : []) {
            await setAppearance(page, each, width);
            found.push(...(await faultsOf(page, each, width)));
          }
          if (overlay.role === 'menu') await moveThrough(page, shown);
          await close(page, shown, overlay);
        }
        expect(found).toEqual([]);
        expect(faults.splice(0)).toEqual([]);
      },
    );
  });
}

async function open(page: Page, { opener, then, role, name }: Overlay): Promise<Locator> {
  await opener(page).waitFor();
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await then?.(page);
  const shown = page.getByRole(role, { name });
  await shown.waitFor();
  await until(page, shown, true);
  return shown;
}

/** Waits for the focus within an element, or for it elsewhere. */
async function until(page: Page, shown: Locator, isWithin: boolean): Promise<void> {
  const element = await shown.elementHandle();
  await page.waitForFunction(
    ([each, wanted]) => each?.contains(document.activeElement) === wanted,
    [element, isWithin] as const,
  );
}

/** Arrows move through the items of a menu, and begin again at its end. */
async function moveThrough(page: Page, menu: Locator): Promise<void> {
  const items = menu.locator('[role^="menuitem"]');
  const count = await items.count();
  // By its place: apps may have the same name.
  const current = () =>
    items.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
  const first = await current();
  const passed = new Set<number>();
  for (let step = 0; step < count; step += 1) {
    passed.add(await current());
    await page.keyboard.press('ArrowDown');
  }
  expect(passed.size).toBe(count);
  expect(await current()).toBe(first);
}

async function close(page: Page, shown: Locator, { closedBy, opener }: Overlay): Promise<void> {
  await page.keyboard.press('Escape');
  if (closedBy !== undefined) {
    await page.keyboard.press('Escape');
    expect(await shown.isVisible()).toBe(true);
    await shown.getByRole('button', { name: closedBy }).click();
  }
  await shown.waitFor({ state: 'hidden' });
  const element = await opener(page).elementHandle();
  await page.waitForFunction((each) => each === document.activeElement, element);
}
