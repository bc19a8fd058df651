import { browserEngine } from '../../support/services/browser.js';
import { representatives } from '../../support/runner/representatives.js';
import { checkLoadingScreens, type LoadingCircumstance } from './support/check-loading-screens.js';

const CIRCUMSTANCES: Record<string, LoadingCircumstance> = {
  light: {},
  dark: { context: { colorScheme: 'dark' } },
  'forced-colors': { context: { forcedColors: 'active' } },
  arabic: { context: { locale: 'ar' } },
  zoom: { context: { viewport: { width: 320, height: 256 }, locale: 'de' } },
  inline: { options: { container: 'main' } },
};

checkLoadingScreens(
  Object.fromEntries(
    representatives(Object.entries(CIRCUMSTANCES), ([name]) => /colors|arabic|zoom/.test(name)),
  ),
);

// The reader's own text size, as on the screens of the hosted app.
if (browserEngine === 'chromium')
  checkLoadingScreens(
    { 'large-text': { context: { viewport: { width: 320, height: 568 }, locale: 'de' } } },
    { textSize: 32 },
  );
