import { themeByTurn, WIDTHS } from './support/appearance.js';
import { checkScreens } from './support/check-screens.js';

// Each theme and width by turn; all of them are in the long run.
checkScreens((index) => {
  const theme = themeByTurn(index);
  return WIDTHS.map((width, place) => ({
    theme,
    width,
    isChecked: index % WIDTHS.length === place,
  }));
});
