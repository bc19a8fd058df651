import { keepTrying } from '../session/keep-trying.js';
import type { FirstCatalogue, LaterCatalogue } from './catalogue.js';
import { pickFormatLocale, pickLocale, type Locale } from './locales.js';
import { Texts } from './texts.js';

/** Each language in two files: with the first screen, and with the others. */
const FILES: Record<
  Locale,
  { first: () => Promise<FirstCatalogue>; later: () => Promise<LaterCatalogue> }
> = {
  en: {
    first: async () => (await import('./en.js')).en,
    later: async () => (await import('./deferred/en.js')).enLater,
  },
  es: {
    first: async () => (await import('./es.js')).es,
    later: async () => (await import('./deferred/es.js')).esLater,
  },
  fr: {
    first: async () => (await import('./fr.js')).fr,
    later: async () => (await import('./deferred/fr.js')).frLater,
  },
  de: {
    first: async () => (await import('./de.js')).de,
    later: async () => (await import('./deferred/de.js')).deLater,
  },
  ar: {
    first: async () => (await import('./ar.js')).ar,
    later: async () => (await import('./deferred/ar.js')).arLater,
  },
};

let spoken: Texts | null = null;
/** Later screens are here: another language has to bring its texts for them at once. */
let areLaterNeeded = false;

/** Fetches the language of the browser while the SDK has not yet said which one it wants. */
export function fetchLikelyTexts(): void {
  FILES[pickLocale(navigator.languages)].first().catch(() => undefined);
}

/** Texts for the wanted languages, and amounts and dates for the region that was asked for in the same language. */
export async function loadTexts(wanted: readonly (string | null)[]): Promise<Texts> {
  const locale = pickLocale(wanted);
  spoken = new Texts(
    locale,
    await keepTrying(FILES[locale].first),
    pickFormatLocale(wanted, locale),
  );
  if (areLaterNeeded) await loadLaterTexts();
  return spoken;
}

/** Adds the texts of the later screens to those spoken. */
export async function loadLaterTexts(): Promise<void> {
  areLaterNeeded = true;
  if (spoken !== null) spoken.add(await keepTrying(FILES[spoken.locale].later));
}
