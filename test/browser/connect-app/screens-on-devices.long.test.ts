import { checkScreens } from './support/check-screens.js';

checkScreens({
  light: { context: { colorScheme: 'light' }, isChecked: true },
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
  arabic: { context: { colorScheme: 'light' }, options: { locale: 'ar' }, isChecked: true },
});
