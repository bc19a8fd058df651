import { browserEngine } from '../../support/services/browser.js';
import { representatives } from '../../support/runner/representatives.js';
import { checkScreens, type Circumstance } from './support/check-screens.js';
import { faultsOfLargeText } from './support/layout-faults.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS } from './support/views.js';

/** Twice the usual size, as the setting of the reader and not as a zoom. */
const TEXT_SIZE = 32;

const WINDOWS: readonly (readonly [string, Circumstance['context'], string?])[] = [
  ['a phone', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }],
  ['the smallest phone', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }],
  ['a desktop', { viewport: { width: 1024, height: 768 } }],
  ['a phone in Arabic', { viewport: { width: 390, height: 780 }, isMobile: true }, 'ar'],
  ['a phone in German', { viewport: { width: 390, height: 780 }, isMobile: true }, 'de'],
];

if (browserEngine === 'chromium') {
  checkScreens(
    Object.fromEntries(
      representatives(WINDOWS, ([name]) => name === 'the smallest phone').map(
        ([name, context, locale = 'en']) => [
          `large text on ${name}`,
          { context, options: { locale }, faultsIn: faultsOfLargeText },
        ],
      ),
    ),
    { textSize: TEXT_SIZE },
  );

  describeInBrowser(
    'The text of Connect',
    (stage) => {
      it('has twice its size for a reader who has chosen twice the size', async () => {
        const { frame } = await stage.open(new ScriptedSession(CREDENTIALS));
        const sizeOf = (selector: string): Promise<string> =>
          frame
            .locator(selector)
            .first()
            .evaluate((element) => getComputedStyle(element).fontSize);
        await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
        expect({
          title: await sizeOf('#screen-title'),
          text: await sizeOf('.subtitle'),
          label: await sizeOf('.field-label'),
          field: await sizeOf('.input'),
          link: await sizeOf('.text-button'),
          button: await sizeOf('.primary'),
          note: await sizeOf('.note'),
        }).toEqual({
          title: '44px',
          text: '30px',
          label: '26px',
          field: '32px',
          link: '30px',
          button: '32px',
          note: '24px',
        });
      });

      it('of a theme in pixels has twice its size, too', async () => {
        const { frame } = await stage.open(new ScriptedSession(CREDENTIALS), {
          options: { theme: { typography: { title: { size: '30px' } } } },
        });
        const title = frame.getByRole('heading', { name: 'Sign in to your bank' });
        expect(await title.evaluate((element) => getComputedStyle(element).fontSize)).toBe('60px');
      });
    },
    { textSize: TEXT_SIZE },
  );
} else {
  process.stderr.write('SKIPPED: the screens with large text. Only Chromium starts with a size.\n');
  describe.skip('The text of Connect', () => {
    it('follows the size of the reader', () => undefined);
  });
}
