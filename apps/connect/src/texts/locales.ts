export const LOCALES = ['en', 'es', 'fr', 'de', 'ar'] as const;
export type Locale = (typeof LOCALES)[number];

/** The first preferred language that is available; `de-AT` finds `de`. */
export function pickLocale(wanted: readonly (string | null)[]): Locale {
  for (const tag of wanted) {
    const found = LOCALES.find((locale) => locale === languageOf(tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * The requested tag of that language, with its region; a page writes these tags, and an invalid one
 * has no language.
 */
export function pickFormatLocale(wanted: readonly (string | null)[], locale: Locale): string {
  return wanted.find((tag) => languageOf(tag) === locale) ?? locale;
}

function languageOf(tag: string | null): string | null {
  try {
    return tag === null ? null : new Intl.Locale(tag).language;
  } catch {
    return null;
  }
}
