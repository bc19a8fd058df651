import { keepTrying } from '../session/keep-trying.js';
import { ar } from './ar.js';
import type { FirstCatalog, DeferredCatalog } from './catalog.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { pickFormatLocale, pickLocale, type Locale } from './locales.js';
import { Texts } from './texts.js';

/**
 * The texts of the first screens, in the first load: together they compress to less than what a
 * request for one language costs on a slow network.
 */
const FIRST: Record<Locale, FirstCatalog> = { en, es, fr, de, ar };
/** Those of the other screens, in a file for each language. */
const DEFERRED: Record<Locale, () => Promise<DeferredCatalog>> = {
  en: async () => (await import('./deferred/en.js')).enDeferred,
  es: async () => (await import('./deferred/es.js')).esDeferred,
  fr: async () => (await import('./deferred/fr.js')).frDeferred,
  de: async () => (await import('./deferred/de.js')).deDeferred,
  ar: async () => (await import('./deferred/ar.js')).arDeferred,
};

let spoken: Texts | null = null;
/** The deferred screens are loaded: another language has to load its texts for them immediately. */
let areDeferredNeeded = false;

/**
 * Texts for the preferred languages, and amounts and dates for the region requested with that
 * language.
 */
export async function loadTexts(wanted: readonly (string | null)[]): Promise<Texts> {
  const locale = pickLocale(wanted);
  spoken = new Texts(locale, FIRST[locale], pickFormatLocale(wanted, locale));
  if (areDeferredNeeded) await loadDeferredTexts();
  return spoken;
}

/** Adds the texts of the deferred screens to the current language. */
export async function loadDeferredTexts(): Promise<void> {
  areDeferredNeeded = true;
  if (spoken !== null) spoken.add(await keepTrying(DEFERRED[spoken.locale]));
}
