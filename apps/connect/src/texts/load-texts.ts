import { keepTrying } from '../session/keep-trying.js';
import type { FirstCatalog, DeferredCatalog } from './catalog.js';
import { pickFormatLocale, pickLocale, type Locale } from './locales.js';
import { Texts } from './texts.js';

/** Each language in two files: with the first screen, and with the others. */
const FILES: Record<
  Locale,
  { first: () => Promise<FirstCatalog>; later: () => Promise<DeferredCatalog> }
> = {
  en: {
    first: async () => (await import('./en.js')).en,
    later: async () => (await import('./deferred/en.js')).enDeferred,
  },
  es: {
    first: async () => (await import('./es.js')).es,
    later: async () => (await import('./deferred/es.js')).esDeferred,
  },
  fr: {
    first: async () => (await import('./fr.js')).fr,
    later: async () => (await import('./deferred/fr.js')).frDeferred,
  },
  de: {
    first: async () => (await import('./de.js')).de,
    later: async () => (await import('./deferred/de.js')).deDeferred,
  },
  ar: {
    first: async () => (await import('./ar.js')).ar,
    later: async () => (await import('./deferred/ar.js')).arDeferred,
  },
};

let spoken: Texts | null = null;
/** The deferred screens are loaded: another language has to load its texts for them immediately. */
let areDeferredNeeded = false;

/** Loads the language of the browser before the SDK has set one. */
export function fetchLikelyTexts(): void {
  FILES[pickLocale(navigator.languages)].first().catch(() => undefined);
}

/**
 * Texts for the preferred languages, and amounts and dates for the region requested with that
 * language.
 */
export async function loadTexts(wanted: readonly (string | null)[]): Promise<Texts> {
  const locale = pickLocale(wanted);
  spoken = new Texts(
    locale,
    await keepTrying(FILES[locale].first),
    pickFormatLocale(wanted, locale),
  );
  if (areDeferredNeeded) await loadDeferredTexts();
  return spoken;
}

/** Adds the texts of the deferred screens to the current language. */
export async function loadDeferredTexts(): Promise<void> {
  areDeferredNeeded = true;
  if (spoken !== null) spoken.add(await keepTrying(FILES[spoken.locale].later));
}
