import { representatives } from '../../support/runner/representatives.js';
import { checkScreens, type Circumstance } from './support/check-screens.js';
import { faultsOfSmallPhones } from './support/layout-faults.js';

const SIZES = [
  [320, 568],
  [360, 640],
  [375, 667],
  [390, 667],
] as const;

const phone = (width: number, height: number): Circumstance => ({
  context: {
    viewport: { width, height },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
  options: { device: 'mobile' },
  faultsIn: faultsOfSmallPhones,
});

// The smallest phone has the least room; the others have other breaks of lines.
checkScreens(
  Object.fromEntries(
    representatives(SIZES, ([width]) => width === 320).map(([width, height]) => [
      `a phone of ${width} × ${height}`,
      phone(width, height),
    ]),
  ),
);
