import { isRecord } from '../../../../packages/connect-protocol/src/envelope.js';
import {
  IMAGE_TOKENS,
  LIST_SEPARATORS,
  PROPERTY_TOKENS,
  TEXT_TOKENS,
  TYPOGRAPHY_STYLES,
  type ImageToken,
  type ListSeparator,
  type TextToken,
  type TokenKind,
} from './tokens.js';

export interface ResolvedTheme {
  /** CSS custom property → value; a missing one keeps the default of the style sheet. */
  properties: Record<string, string>;
  images: Partial<Record<ImageToken, string>>;
  texts: Partial<Record<TextToken, string>>;
  separator: ListSeparator | null;
  useInstitutionColor: boolean;
  fontUrl: string | null;
  /** Paths of tokens whose value cannot be used. */
  unusable: string[];
}

export interface ThemeSurroundings {
  appearance: 'light' | 'dark';
  locale: string;
  /** Returns whether the browser accepts a value for a CSS property. */
  supports: (property: string, value: string) => boolean;
}

/**
 * Merges themes, later ones over earlier ones token by token, and resolves light, dark and language. Unknown tokens are
 * ignored. Source: connect 10.
 */
export function resolveTheme(
  themes: readonly unknown[],
  surroundings: ThemeSurroundings,
): ResolvedTheme {
  const theme = themes.reduce<Record<string, unknown>>((merged, next) => merge(merged, next), {});
  const resolved: ResolvedTheme = {
    properties: {},
    images: {},
    texts: {},
    separator: null,
    useInstitutionColor: false,
    fontUrl: null,
    unusable: [],
  };
  const group = (name: string): Record<string, unknown> =>
    isRecord(theme[name]) ? theme[name] : {};

  for (const [name, tokens] of Object.entries(PROPERTY_TOKENS)) {
    for (const [token, kind] of Object.entries(tokens))
      setProperty(`${name}-${token}`, group(name)[token], kind);
  }
  for (const [style, parts] of TYPOGRAPHY_STYLES) {
    const values = group('typography')[style];
    if (!isRecord(values)) continue;
    for (const [part, kind] of Object.entries(parts))
      setProperty(`typography-${style}-${part}`, values[part], kind);
  }
  for (const token of IMAGE_TOKENS)
    take(`images-${token}`, group('images')[token], isImageAddress, (value) => {
      resolved.images[token] = value;
    });
  for (const token of TEXT_TOKENS) {
    take(
      `texts-${token}`,
      inLanguage(group('texts')[token], surroundings.locale),
      (value) => value.trim() !== '',
      (value) => {
        resolved.texts[token] = value;
      },
    );
  }
  take('typography-font_url', group('typography')['font_url'], isHttps, (value) => {
    resolved.fontUrl = value;
  });
  resolved.separator =
    LIST_SEPARATORS.find((entry) => entry === group('list')['separator']) ?? null;
  resolved.useInstitutionColor = group('button')['use_institution_color'] === true;
  return resolved;

  function setProperty(path: string, value: unknown, kind: TokenKind): void {
    if (value === undefined || value === null) return;
    const css = toCss(
      kind === 'color' && isRecord(value) ? value[surroundings.appearance] : value,
      kind,
    );
    if (css === undefined) return;
    if (css !== null && isUsable(css, kind, surroundings.supports))
      resolved.properties[`--connect-${path}`] = path.startsWith('typography-')
        ? followingText(css)
        : css;
    else resolved.unusable.push(path.replace('-', '.'));
  }

  function take(
    path: string,
    value: unknown,
    isFit: (value: string) => boolean,
    keep: (value: string) => void,
  ): void {
    if (value === undefined || value === null) return;
    if (typeof value === 'string' && isFit(value)) keep(value);
    else resolved.unusable.push(path.replace('-', '.'));
  }
}

function merge(base: Record<string, unknown>, over: unknown): Record<string, unknown> {
  if (!isRecord(over)) return base;
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    // A color is one value, even when it has a light and a dark side.
    merged[key] =
      isRecord(value) && isRecord(below) && !('light' in value || 'dark' in value)
        ? merge(below, value)
        : value;
  }
  return merged;
}

/**
 * A number is a length in pixels; null = not a valid value, undefined = none for this appearance.
 */
function toCss(value: unknown, kind: TokenKind): string | null | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') return kind === 'length' ? `${value}px` : String(value);
  return typeof value === 'string' ? value.trim() : null;
}

/** A size of text in pixels is meant for a reader with the usual size, and grows with the reader's. */
function followingText(css: string): string {
  const [, pixels] = /^(-?[\d.]+)px$/.exec(css) ?? [];
  return pixels === undefined ? css : `${Number(pixels) / 16}rem`;
}

const TRIED_AS: Record<TokenKind, string> = {
  color: 'color',
  length: 'width',
  number: 'font-weight',
  shadow: 'box-shadow',
  family: 'font-family',
  align: 'text-align',
};

function isUsable(
  value: string,
  kind: TokenKind,
  supports: ThemeSurroundings['supports'],
): boolean {
  if (kind === 'align') return value === 'start' || value === 'center';
  // A letter spacing may be negative, unlike a width.
  return (
    supports(TRIED_AS[kind], value) || (kind === 'length' && supports('letter-spacing', value))
  );
}

function inLanguage(value: unknown, locale: string): unknown {
  return isRecord(value) ? (value[locale] ?? value['en']) : value;
}

const isHttps = (value: string): boolean => value.startsWith('https://');
const isImageAddress = (value: string): boolean =>
  isHttps(value) || value.startsWith('data:image/');
