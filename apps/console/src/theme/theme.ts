import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const token = (name: string): string => `var(--connect-colors-${name})`;
const shades = (name: string): MantineColorsTuple =>
  Array.from({ length: 10 }, () => token(name)) as unknown as MantineColorsTuple;
const mixed = (color: string, share: number, into = 'transparent'): string =>
  `color-mix(in srgb, ${color} ${share}%, ${into})`;

/** The colors of text on a filled control. */
const ON_FILLED: Record<string, string> = { accent: token('on_accent') };

/** Every control takes its colors from the tokens of Connect: Mantine's own palette is too pale for small text. */
const variantColorResolver: VariantColorsResolver = ({ color, variant }) => {
  const name = color ?? 'accent';
  const main = token(name === 'danger' ? 'error' : name);
  if (variant === 'filled')
    return {
      background: main,
      hover: mixed(main, 88, token('text')),
      color: ON_FILLED[name] ?? token('background'),
      border: '1px solid transparent',
    };
  if (variant === 'subtle' || variant === 'transparent')
    return {
      background: 'transparent',
      hover: variant === 'subtle' ? mixed(main, 10) : 'transparent',
      color: main,
      border: '1px solid transparent',
    };
  if (variant === 'light')
    return {
      background: mixed(main, 10),
      hover: mixed(main, 16),
      color: main,
      border: '1px solid transparent',
    };
  return {
    background: token('background'),
    hover: token('surface'),
    color: name === 'accent' ? token('text') : main,
    border: `1px solid ${token('border')}`,
  };
};

export const theme = createTheme({
  primaryColor: 'accent',
  colors: {
    accent: shades('accent'),
    danger: shades('error'),
    warning: shades('warning'),
    success: shades('success'),
  },
  variantColorResolver,
  fontFamily: 'var(--connect-typography-font_family)',
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.375rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.4667', lg: '1.3', xl: '1.28' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.75rem', fontWeight: '620' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.375rem' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.375rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } },
  },
});

/** The tokens follow `data-appearance`, so light and dark have the same values here. */
const VARIABLES: Record<string, string> = {
  '--mantine-color-text': token('text'),
  '--mantine-color-bright': token('text'),
  '--mantine-color-body': token('background'),
  '--mantine-color-error': token('error'),
  '--mantine-color-success': token('success'),
  '--mantine-color-placeholder': token('text_subtle'),
  '--mantine-color-anchor': token('accent'),
  '--mantine-color-default': token('background'),
  '--mantine-color-default-hover': token('surface'),
  '--mantine-color-default-color': token('text'),
  '--mantine-color-default-border': token('border'),
  '--mantine-color-dimmed': token('text_muted'),
  '--mantine-color-disabled': token('fill'),
  '--mantine-color-disabled-color': token('text_subtle'),
  '--mantine-color-disabled-border': token('separator'),
  '--mantine-primary-color-contrast': token('on_accent'),
  ...Object.fromEntries(
    [
      ['accent', 'accent'],
      ['danger', 'error'],
      ['warning', 'warning'],
      ['success', 'success'],
    ].flatMap(([name, from = '']) => [
      [`--mantine-color-${name}-text`, token(from)],
      [`--mantine-color-${name}-filled`, token(from)],
      [`--mantine-color-${name}-filled-hover`, mixed(token(from), 88, token('text'))],
      [`--mantine-color-${name}-light`, mixed(token(from), 10)],
      [`--mantine-color-${name}-light-hover`, mixed(token(from), 16)],
      [`--mantine-color-${name}-light-color`, token(from)],
      [`--mantine-color-${name}-outline`, token(from)],
      [`--mantine-color-${name}-outline-hover`, mixed(token(from), 8)],
    ]),
  ),
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: VARIABLES,
  dark: VARIABLES,
});
