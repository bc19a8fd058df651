// connect 10: a theme is partial; a missing value comes from the session's theme, then from the
// built-in one.

/** A CSS color, or one for each appearance. */
export type ThemeColor = string | { light: string; dark: string };
/** A CSS length such as `12px`. */
export type ThemeLength = string;
/** Plain text, or one for each locale. */
export type ThemeText = string | Record<string, string>;

export interface ThemeTextStyle {
  size?: ThemeLength;
  line_height?: ThemeLength;
  weight?: string | number;
  letter_spacing?: ThemeLength;
}

type Some<Name extends string, Value> = Partial<Record<Name, Value>>;

export interface Theme {
  colors?: Some<
    | 'accent'
    | 'on_accent'
    | 'background'
    | 'surface'
    | 'text'
    | 'text_muted'
    | 'text_subtle'
    | 'border'
    | 'separator'
    | 'fill'
    | 'success'
    | 'warning'
    | 'error'
    | 'focus'
    | 'overlay',
    ThemeColor
  >;
  typography?: { font_family?: string; font_url?: string } & Some<
    'title' | 'heading' | 'body' | 'body_small' | 'button' | 'input',
    ThemeTextStyle
  >;
  shape?: Some<'radius_control' | 'radius_card' | 'radius_dialog' | 'border_width', ThemeLength> &
    Some<'shadow_card' | 'shadow_dialog', string>;
  spacing?: Some<'inset_horizontal' | 'gap' | 'control_height' | 'header_height', ThemeLength>;
  button?: Some<'background' | 'text', ThemeColor> &
    Some<'radius' | 'height', ThemeLength> & { use_institution_color?: boolean };
  input?: Some<'background' | 'border' | 'focus_ring', ThemeColor> &
    Some<'radius' | 'height', ThemeLength> & { text_align?: 'start' | 'center' };
  list?: Some<'row_height' | 'logo_radius', ThemeLength> & { separator?: 'all' | 'inner' | 'none' };
  spinner?: Some<'diameter' | 'stroke', ThemeLength>;
  images?: Some<
    | 'close'
    | 'back'
    | 'search'
    | 'radio'
    | 'radio_checked'
    | 'checkbox'
    | 'checkbox_checked'
    | 'sms'
    | 'email'
    | 'phone'
    | 'product_accounts'
    | 'product_account_numbers'
    | 'product_identity'
    | 'product_transactions'
    | 'product_investments'
    | 'product_liabilities',
    string
  >;
  texts?: Some<
    'finder_title' | 'finder_subtitle' | 'search_placeholder' | 'success_title',
    ThemeText
  >;
}
