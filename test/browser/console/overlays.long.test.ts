import { THEMES } from './support/appearance.js';
import { checkOverlays } from './support/check-overlays.js';

checkOverlays(
  () => THEMES,
  () => true,
);
