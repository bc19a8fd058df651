import { frameTitle, languageOf } from './texts.js';

/** Texts of an SDK while the hosted app is not loaded. */
export interface LoadingTexts {
  title: string;
  loading: string;
  tryAgain: string;
  close: string;
}

const TEXTS = {
  en: { loading: 'Loading', tryAgain: 'Try again', close: 'Close' },
  es: { loading: 'Cargando', tryAgain: 'Intentar de nuevo', close: 'Cerrar' },
  fr: { loading: 'Chargement', tryAgain: 'Réessayer', close: 'Fermer' },
  de: { loading: 'Wird geladen', tryAgain: 'Noch einmal versuchen', close: 'Schließen' },
  ar: { loading: 'جارٍ التحميل', tryAgain: 'حاول مرة أخرى', close: 'إغلاق' },
} as const;

/** @param locale BCP 47; English where its language has no texts */
export const loadingTexts = (locale: string): LoadingTexts => ({
  title: frameTitle(locale),
  ...TEXTS[languageOf(locale)],
});
