import { checkScreens } from './support/check-screens.js';

// Everything that could make a screen too narrow at once: 1280 × 1024 at 400 %, in Arabic, in dark
// mode.
checkScreens({
  narrow: {
    context: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 2, colorScheme: 'dark' },
    options: { locale: 'ar' },
    isChecked: true,
  },
});
