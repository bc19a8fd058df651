import type { Page } from 'playwright-core';
import { faultsOf, setAppearance, sidewaysOverflow, type Theme, type Width } from './appearance.js';
import { placeOfScreens } from './place.js';
import { SCREENS, type ScreenPlace } from './screens.js';
import { describeConsole } from './stage.js';

/** The appearances in which one page shows a screen, and those in which axe looks at it. */
export interface Appearance {
  theme: Theme;
  width: Width;
  isChecked: boolean;
}

/** Every screen, loaded once: its content fits each width, and axe and the browser find nothing. */
export function checkScreens(appearancesOf: (index: number) => readonly Appearance[]): void {
  describeConsole('Every screen of the console', (stage) => {
    let place: ScreenPlace;
    let page: Page;
    let faults: string[];
    beforeAll(async () => {
      place = await placeOfScreens(stage.service);
      ({ page, faults } = await stage.newPage());
      await stage.signIn(page);
    });
    afterAll(() => page?.context().close());

    it.each(Object.entries(SCREENS).map(([name, screen], index) => ({ name, ...screen, index })))(
      'shows its content within its width, and axe and the browser have nothing to complain: $name',
      async ({ at, heading, until, index }) => {
        const [first] = appearancesOf(index);
        if (first !== undefined) await setAppearance(page, first.theme, first.width);
        await page.goto(stage.url + at(place));
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        if (until !== undefined) await page.getByText(until).first().waitFor();
        const found: string[] = [];
        for (const { theme, width, isChecked } of appearancesOf(index)) {
          await setAppearance(page, theme, width);
          expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
          if (isChecked) found.push(...(await faultsOf(page, theme, width)));
        }
        expect(found).toEqual([]);
        expect(faults.splice(0)).toEqual([]);
      },
    );
  });
}
