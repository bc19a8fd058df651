import { lookAtScreens } from './support/look-at-screens.js';

lookAtScreens({
  forced: { context: { forcedColors: 'active' } },
});
