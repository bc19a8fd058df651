import { checkScreens } from './support/check-screens.js';

checkScreens({
  dark: { context: { colorScheme: 'dark' }, isChecked: true },
  phone: {
    context: {
      viewport: { width: 390, height: 780 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
    },
    options: { device: 'mobile' },
  },
  // 1280 × 1024 at 400 %
  zoom: { context: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 2 } },
  arabic: { context: { colorScheme: 'light' }, options: { locale: 'ar' }, isChecked: true },
});
