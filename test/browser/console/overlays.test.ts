import { themeByTurn, WIDTHS } from './support/appearance.js';
import { checkOverlays } from './support/check-overlays.js';

// Each theme and width by turn; all of them are in the long run.
checkOverlays(
  (index) => [themeByTurn(index)],
  (index, width) => WIDTHS[index % WIDTHS.length] === width,
);
