/** The validation of a token before it becomes a CSS custom property. */
export type TokenKind = 'color' | 'length' | 'number' | 'shadow' | 'family' | 'align';

const STYLES = ['title', 'heading', 'body', 'body_small', 'button', 'input'] as const;
const STYLE_PARTS = {
  size: 'length',
  line_height: 'length',
  weight: 'number',
  letter_spacing: 'length',
} as const;

/** Tokens that become `--connect-<group>-<token>`. Source: connect 10. */
export const PROPERTY_TOKENS: Record<string, Record<string, TokenKind>> = {
  colors: ofKind('color', [
    'accent',
    'on_accent',
    'background',
    'surface',
    'text',
    'text_muted',
    'text_subtle',
    'border',
    'separator',
    'fill',
    'success',
    'warning',
    'error',
    'focus',
    'overlay',
  ]),
  typography: { font_family: 'family' },
  shape: {
    ...ofKind('length', ['radius_control', 'radius_card', 'radius_dialog', 'border_width']),
    ...ofKind('shadow', ['shadow_card', 'shadow_dialog']),
  },
  spacing: ofKind('length', ['inset_horizontal', 'gap', 'control_height', 'header_height']),
  button: { ...ofKind('color', ['background', 'text']), ...ofKind('length', ['radius', 'height']) },
  input: {
    ...ofKind('color', ['background', 'border', 'focus_ring']),
    ...ofKind('length', ['radius', 'height']),
    text_align: 'align',
  },
  list: ofKind('length', ['row_height', 'logo_radius']),
  spinner: ofKind('length', ['diameter', 'stroke']),
};

/** `typography.<style>.<part>` becomes `--connect-typography-<style>-<part>`. */
export const TYPOGRAPHY_STYLES = STYLES.map((style) => [style, STYLE_PARTS] as const);

export const IMAGE_TOKENS = [
  'close',
  'back',
  'search',
  'radio',
  'radio_checked',
  'checkbox',
  'checkbox_checked',
  'sms',
  'email',
  'phone',
  'product_accounts',
  'product_account_numbers',
  'product_identity',
  'product_transactions',
  'product_investments',
  'product_liabilities',
] as const;
export type ImageToken = (typeof IMAGE_TOKENS)[number];

/** Images of form controls, which only a style sheet can set. */
export const CONTROL_IMAGES = [
  'radio',
  'radio_checked',
  'checkbox',
  'checkbox_checked',
] as const satisfies readonly ImageToken[];

export const TEXT_TOKENS = [
  'finder_title',
  'finder_subtitle',
  'search_placeholder',
  'success_title',
] as const;
export type TextToken = (typeof TEXT_TOKENS)[number];

export const LIST_SEPARATORS = ['all', 'inner', 'none'] as const;
export type ListSeparator = (typeof LIST_SEPARATORS)[number];

function ofKind<K extends TokenKind>(kind: K, names: readonly string[]): Record<string, K> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
