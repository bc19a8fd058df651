import type {
  Args,
  ArrivalCatalog,
  DeferredCatalog,
  FirstCatalog,
  Plural,
  TextKey,
} from './catalog.js';
import type { Locale } from './locales.js';

/**
 * Texts of one language. Placeholders, plurals and fallback are these few lines over Intl, and the
 * compiler checks every key and its placeholders; a library would cost a sixth of the size budget.
 */
export class Texts {
  readonly direction: 'ltr' | 'rtl';
  private readonly plurals: Intl.PluralRules;
  private readonly entries: Record<string, string | Plural>;

  /**
   * @param formatLocale for Intl: amounts and dates follow the region of the user, not only the
   * language
   */
  constructor(
    readonly locale: Locale,
    first: FirstCatalog,
    readonly formatLocale: string,
  ) {
    this.direction = locale === 'ar' ? 'rtl' : 'ltr';
    this.plurals = new Intl.PluralRules(locale);
    this.entries = { ...first };
  }

  /** The texts that load with their screens. */
  add(later: DeferredCatalog | ArrivalCatalog): void {
    Object.assign(this.entries, later);
  }

  get<K extends TextKey>(key: K, ...args: Args<K>): string {
    return this.parts(key, ...args)
      .map(({ text }) => text)
      .join('');
  }

  /** The text in parts, so that a screen can style a placeholder. */
  parts<K extends TextKey>(key: K, ...[values]: Args<K>): { text: string; name: string | null }[] {
    const given = (values ?? {}) as Record<string, string | number>;
    const pieces = this.form(this.entries[key] ?? '', given['count']).split(/\{(\w+)\}/);
    return pieces.map((piece, index) =>
      index % 2 === 0
        ? { text: piece, name: null }
        : { text: this.show(given[piece]), name: piece },
    );
  }

  has(key: string): key is TextKey {
    return Object.hasOwn(this.entries, key);
  }

  private form(entry: string | Plural, count: string | number | undefined): string {
    if (typeof entry === 'string') return entry;
    return (
      (typeof count === 'number' ? entry[this.plurals.select(count)] : undefined) ?? entry.other
    );
  }

  private show(value: string | number | undefined): string {
    const text =
      typeof value === 'number'
        ? new Intl.NumberFormat(this.formatLocale).format(value)
        : (value ?? '');
    // A name in another script must not reorder the words around it (Unicode bidi: first strong
    // isolate).
    return this.direction === 'rtl' ? `\u2068${text}\u2069` : text;
  }
}
