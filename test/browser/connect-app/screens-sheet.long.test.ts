import {
  browserEngine,
  describeWithBrowser,
  enterBrowser,
} from '../../support/services/browser.js';
import { checkScreens, type Circumstance } from './support/check-screens.js';
import { faultsOfLargeText, faultsOfSmallPhones } from './support/layout-faults.js';
import { writeSheet, type Column } from './support/picture-sheet.js';
import { STORIES } from './support/stories.js';

const SMALLEST_PHONE = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };

/** A small window, so that the dialog is large in its picture. */
const DESKTOP = { viewport: { width: 540, height: 760 } };

const MODES: Record<string, Circumstance> = {
  light: {
    context: { ...DESKTOP, colorScheme: 'light' },
    isChecked: true,
    isWalked: true,
  },
  dark: { context: { ...DESKTOP, colorScheme: 'dark' }, isChecked: true },
  '320px': {
    context: { ...SMALLEST_PHONE, deviceScaleFactor: 2 },
    options: { device: 'mobile' },
    isChecked: true,
    isWalked: true,
    faultsIn: faultsOfSmallPhones,
  },
  arabic: {
    context: { viewport: { width: 390, height: 780 }, isMobile: true, deviceScaleFactor: 2 },
    options: { locale: 'ar', device: 'mobile' },
    isChecked: true,
    isWalked: true,
  },
};

/** Only Chromium starts with a size of text. */
const LARGE: Record<string, Circumstance> =
  browserEngine === 'chromium'
    ? {
        'large-text': {
          context: { ...SMALLEST_PHONE, deviceScaleFactor: 2 },
          options: { device: 'mobile' },
          isChecked: true,
          isWalked: true,
          faultsIn: faultsOfLargeText,
        },
      }
    : {};

const COLUMNS: readonly Column[] = [...Object.keys(MODES), ...Object.keys(LARGE)].map((mode) => ({
  mode,
  width: mode === 'light' || mode === 'dark' ? 330 : 270,
}));

checkScreens(MODES);
checkScreens(LARGE, { textSize: 32 });

describeWithBrowser('The sheet of pictures', () => {
  it('has every screen of Connect in every mode', async () => {
    expect(await writeSheet(await enterBrowser(), Object.keys(STORIES), COLUMNS)).toEqual([]);
  });
});
