import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import { eventually } from '../../../support/assertions/eventually.js';
import { withoutBlur } from '../../support/without-blur.js';
import { faultsOfKeyboard } from './keyboard-walk.js';
import { missingFromOutline } from './outlines.js';
import { describeInBrowser, newContext } from './stage.js';
import { arrive, STORIES } from './stories.js';

export const PICTURES = fileURLToPath(
  new URL('../../../../test-results/connect/', import.meta.url),
);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Circumstance {
  context: BrowserContextOptions;
  options?: Record<string, unknown>;
  /**
   * True if axe checks the screens. Its result depends on colors and words, so not every rendering
   * needs it.
   */
  isChecked?: boolean;
  /** True if the outline is checked. It depends only on words. */
  isOutlined?: boolean;
  /** True if the keyboard walks over the controls of the screens. Its path does not depend on colors. */
  isWalked?: boolean;
  /** Further faults of a screen, such as those of its layout. */
  faultsIn?: (frame: Frame) => Promise<string[]>;
}

/** A picture takes a third of the processor time of a screen, and only people look at them. */
const isDrawing = Boolean(process.env['LONG_RUNS']);

/**
 * Renders every screen in each of the circumstances, takes a picture in long runs, and checks that
 * nothing overflows and axe finds no violation.
 */
export function checkScreens(
  circumstances: Record<string, Circumstance>,
  { textSize }: { textSize?: number } = {},
): void {
  describeInBrowser(
    'Every screen of Connect',
    (stage) => {
      if (isDrawing) {
        beforeAll(() => {
          mkdirSync(PICTURES, { recursive: true });
        });
        afterAll(() => {
          process.stdout.write(`  Pictures of all screens: ${PICTURES}\n`);
        });
      }

      describe.each(Object.keys(circumstances))('rendered as %s', (circumstance) => {
        const {
          context,
          options = {},
          isChecked = false,
          isOutlined = false,
          isWalked = false,
          faultsIn,
        } = circumstances[circumstance] ?? { context: {} };
        let page: Page;
        beforeAll(async () => {
          const drawn = await newContext(stage.browser, context);
          page = await (isDrawing ? drawn : await withoutBlur(drawn)).newPage();
        });
        afterAll(() => page.context().close());

        it.each(Object.keys(STORIES))('fits the window and passes its checks: %s', async (name) => {
          const story = STORIES[name];
          if (story === undefined) throw new Error(`There is no story ${name}.`);
          const { frame } = await stage.open(story.session(), { page, options });
          await arrive(frame, story);
          if (isDrawing)
            await page.screenshot({
              path: join(PICTURES, `${name}.${circumstance}.png`),
              animations: 'disabled',
            });
          expect(await sidewaysOverflow(frame)).toEqual([]);
          // What follows the layout, such as a shadow, comes a frame later.
          if (faultsIn !== undefined)
            await eventually(async () => expect(await faultsIn(frame)).toEqual([]));
          if (isOutlined) expect(await missingFromOutline(frame, name)).toEqual([]);
          if (isChecked) expect(await violations(frame)).toEqual([]);
          if (isWalked) expect(await faultsOfKeyboard(page, frame)).toEqual([]);
        });
      });
    },
    textSize === undefined ? {} : { textSize },
  );
}

/** The violations axe finds in the frame, by rule and element. */
export async function violations(frame: Frame): Promise<string[]> {
  await frame.evaluate(AXE);
  return frame.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (options: unknown) => Promise<{
          violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations: found } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' | ')}`,
    );
  });
}

/** Elements that require horizontal scrolling (WCAG 2.2, 1.4.10). */
function sidewaysOverflow(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const isPartOf = (element: Element): boolean =>
      element.closest('.visually-hidden, .progress-line, .details dd, svg') === null;
    const { clientWidth } = document.documentElement;
    return [...document.querySelectorAll('body *')]
      .filter((element) => isPartOf(element) && element.getClientRects().length > 0)
      .filter(
        (element) =>
          element.getBoundingClientRect().right > clientWidth + 1 ||
          element.getBoundingClientRect().left < -1,
      )
      .map(
        (element) =>
          `${element.tagName}.${element.className} ${Math.round(element.getBoundingClientRect().left)}–${Math.round(element.getBoundingClientRect().right)}`,
      );
  });
}
