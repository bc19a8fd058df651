import { THEMES, WIDTHS } from './support/appearance.js';
import { checkScreens } from './support/check-screens.js';

checkScreens(() =>
  THEMES.flatMap((theme) => WIDTHS.map((width) => ({ theme, width, isChecked: true }))),
);
