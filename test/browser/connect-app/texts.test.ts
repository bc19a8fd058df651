import { ar } from '../../../apps/connect/src/texts/ar.js';
import { arrivalTexts } from '../../../apps/connect/src/texts/arrival.js';
import { arDeferred } from '../../../apps/connect/src/texts/deferred/ar.js';
import type { Plural } from '../../../apps/connect/src/texts/catalog.js';
import { de } from '../../../apps/connect/src/texts/de.js';
import { deDeferred } from '../../../apps/connect/src/texts/deferred/de.js';
import { en } from '../../../apps/connect/src/texts/en.js';
import { enDeferred } from '../../../apps/connect/src/texts/deferred/en.js';
import { es } from '../../../apps/connect/src/texts/es.js';
import { esDeferred } from '../../../apps/connect/src/texts/deferred/es.js';
import { fr } from '../../../apps/connect/src/texts/fr.js';
import { frDeferred } from '../../../apps/connect/src/texts/deferred/fr.js';
import { LOCALES, pickFormatLocale, pickLocale } from '../../../apps/connect/src/texts/locales.js';
import { notes } from '../../../apps/connect/src/texts/notes.js';
import { Texts } from '../../../apps/connect/src/texts/texts.js';

const CATALOGS: Record<string, Record<string, string | Plural>> = {
  en: { ...en, ...enDeferred, ...arrivalTexts.en },
  es: { ...es, ...esDeferred, ...arrivalTexts.es },
  fr: { ...fr, ...frDeferred, ...arrivalTexts.fr },
  de: { ...de, ...deDeferred, ...arrivalTexts.de },
  ar: { ...ar, ...arDeferred, ...arrivalTexts.ar },
};
const english = CATALOGS['en'] ?? {};
const forms = (entry: string | Plural | undefined): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry ?? {});
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();

/** The user knows a setup token by this name from the page that shows it. */
const plainWords = (key: string, text: string): string =>
  key.startsWith('setup_token_') ? text.replace(/(setup[- ])?token/gi, '') : text;

describe.each(LOCALES)('The texts in %s', (locale) => {
  const catalog = CATALOGS[locale] ?? {};

  it('have the same keys as the English ones', () => {
    expect(Object.keys(catalog).sort()).toEqual(Object.keys(english).sort());
  });

  it('have the same placeholders as the English ones', () => {
    for (const [key, entry] of Object.entries(catalog)) {
      const wanted = new Set(forms(english[key]).flatMap(placeholders));
      for (const form of forms(entry)) {
        // A form for exactly one or two may spell out the number.
        const found = new Set([
          ...placeholders(form),
          ...(typeof entry === 'string' ? [] : ['count']),
        ]);
        expect({ key, found: [...found].sort() }).toEqual({ key, found: [...wanted].sort() });
      }
    }
  });

  it('have every plural form the language uses', () => {
    const used = new Set(
      Array.from({ length: 60 }, (_, count) => new Intl.PluralRules(locale).select(count + 1)),
    );
    for (const [key, entry] of Object.entries(catalog)) {
      if (typeof entry !== 'string')
        expect({ key, forms: Object.keys(entry) }).toEqual({
          key,
          forms: expect.arrayContaining([...used]),
        });
    }
  });

  it('avoid exclamation marks and jargon', () => {
    for (const [key, entry] of Object.entries(catalog)) {
      for (const form of forms(entry))
        expect({ key, words: plainWords(key, form) }).toEqual({
          key,
          words: expect.not.stringMatching(
            /[!¡]|\b(MFA|OTP|credentials?|session|token|oops|ups|hoppla)\b/i,
          ),
        });
    }
  });
});

describe('The texts of Connect', () => {
  it("have a translator's note each", () => {
    expect(Object.keys(notes).sort()).toEqual(Object.keys(english).sort());
    for (const note of Object.values(notes)) expect(note).not.toBe('');
  });

  it('use the language of the tag, or English when it is not available', () => {
    expect(pickLocale(['de-AT', 'en'])).toBe('de');
    expect(pickLocale([null, 'pt-BR', 'ar-EG'])).toBe('ar');
    expect(pickLocale(['not a tag', 'tlh'])).toBe('en');
    expect(pickFormatLocale(['x_y!', 'de-AT'], 'de')).toBe('de-AT');
    expect(pickFormatLocale(['tlh'], 'en')).toBe('en');
  });

  it('use the plural rules of the language', () => {
    const texts = new Texts('ar', ar, 'ar');
    texts.add(arDeferred);
    expect(texts.get('accounts_share', { count: 1 })).toBe('مشاركة حساب واحد');
    expect(texts.get('accounts_share', { count: 2 })).toBe('مشاركة حسابين');
    expect(texts.get('accounts_share', { count: 3 })).toMatch(/^مشاركة \u2068.\u2069 حسابات$/);
  });

  it('isolate names in right-to-left text', () => {
    expect(new Texts('en', en, 'en').get('login_text', { app: 'Pocket Ledger' })).toBe(
      'Pocket Ledger never sees these.',
    );
    expect(new Texts('ar', ar, 'ar').get('login_text', { app: 'Pocket Ledger' })).toContain(
      '\u2068Pocket Ledger\u2069',
    );
  });
});
