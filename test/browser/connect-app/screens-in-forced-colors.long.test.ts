import { checkScreens } from './support/check-screens.js';

checkScreens({
  forced: { context: { forcedColors: 'active' } },
});
