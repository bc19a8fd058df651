import { contrast } from '../../../apps/connect/src/theme/contrast.js';
import {
  resolveTheme,
  type ThemeSurroundings,
} from '../../../apps/connect/src/theme/resolve-theme.js';

const light: ThemeSurroundings = {
  appearance: 'light',
  locale: 'en',
  supports: (_, value) => !value.includes('nonsense'),
};

describe('The theme of Connect', () => {
  it('becomes custom properties, with numbers as pixel lengths and text that follows the reader', () => {
    const { properties } = resolveTheme(
      [
        {
          colors: { accent: '#123456' },
          shape: { radius_dialog: 20 },
          typography: { title: { size: '24px', weight: 700 } },
        },
      ],
      light,
    );
    expect(properties).toEqual({
      '--connect-colors-accent': '#123456',
      '--connect-shape-radius_dialog': '20px',
      '--connect-typography-title-size': '1.5rem',
      '--connect-typography-title-weight': '700',
    });
  });

  it('merges token by token, and later themes win', () => {
    const session = { colors: { accent: '#111111', text: '#222222' }, button: { height: 48 } };
    const sdk = { colors: { accent: { light: '#333333', dark: '#444444' } } };
    expect(resolveTheme([session, sdk], light).properties).toEqual({
      '--connect-colors-accent': '#333333',
      '--connect-colors-text': '#222222',
      '--connect-button-height': '48px',
    });
    expect(
      resolveTheme([session, sdk], { ...light, appearance: 'dark' }).properties[
        '--connect-colors-accent'
      ],
    ).toBe('#444444');
  });

  it('omits unknown tokens, and reports invalid values', () => {
    const { properties, unusable } = resolveTheme(
      [
        {
          colors: { accent: 'nonsense', glitter: 'red' },
          magic: { a: 1 },
          input: { text_align: 'justify' },
          typography: { font_url: 'http://insecure.example/font.woff2' },
          images: { close: 'javascript:alert(1)' },
        },
      ],
      light,
    );
    expect(properties).toEqual({});
    expect(unusable).toEqual([
      'colors.accent',
      'input.text_align',
      'images.close',
      'typography.font_url',
    ]);
  });

  it.each([null, undefined, 'a text', 7, [], { colors: null }, { colors: 'red' }])(
    'is empty when it is %p',
    (theme) => {
      expect(resolveTheme([theme], light)).toMatchObject({ properties: {}, unusable: [] });
    },
  );

  it('selects its texts by language', () => {
    const theme = {
      texts: {
        finder_title: { en: 'Pick your bank', de: 'Such deine Bank aus' },
        success_title: 'All set',
      },
    };
    expect(resolveTheme([theme], { ...light, locale: 'de' }).texts).toEqual({
      finder_title: 'Such deine Bank aus',
      success_title: 'All set',
    });
    expect(resolveTheme([theme], { ...light, locale: 'fr' }).texts.finder_title).toBe(
      'Pick your bank',
    );
  });

  it('measures contrast as WCAG does', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
  });
});
