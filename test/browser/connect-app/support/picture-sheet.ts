import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PICTURES } from './check-screens.js';

/** Screens in one picture of the sheet: more are too small to be read. */
const ROWS = 3;

/** A column of the sheet. */
export interface Column {
  mode: string;
  /** Pixels of the sheet; small windows are shown larger than their share. */
  width: number;
}

/**
 * Writes the pictures of all screens as one page, `sheet.html`, and as pictures of a few rows each,
 * `sheet-1.png` and so on.
 * @returns the pictures that are missing
 */
export async function writeSheet(
  browser: Browser,
  stories: readonly string[],
  columns: readonly Column[],
): Promise<string[]> {
  writeFileSync(
    join(PICTURES, 'sheet.html'),
    sheetOf(stories, columns, (name) => encodeURIComponent(name)),
  );
  const page = await (
    await browser.newContext({ viewport: { width: widthOf(columns), height: 800 } })
  ).newPage();
  const missing: string[] = [];
  for (let first = 0; first < stories.length; first += ROWS) {
    const rows = stories.slice(first, first + ROWS);
    await page.setContent(sheetOf(rows, columns, dataAddress));
    missing.push(
      ...(await page
        .locator('img')
        .evaluateAll((images) =>
          images.flatMap((image) =>
            (image as HTMLImageElement).naturalWidth === 0 ? [image.getAttribute('alt') ?? ''] : [],
          ),
        )),
    );
    await page.screenshot({
      path: join(PICTURES, `sheet-${first / ROWS + 1}.png`),
      fullPage: true,
    });
  }
  await page.context().close();
  return missing;
}

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width + 16, 16);

function dataAddress(name: string): string {
  try {
    return `data:image/png;base64,${readFileSync(join(PICTURES, name), 'base64')}`;
  } catch {
    return '';
  }
}

function sheetOf(
  stories: readonly string[],
  columns: readonly Column[],
  addressOf: (name: string) => string,
): string {
  const cells = (story: string): string =>
    columns
      .map(({ mode, width }) => {
        const name = `${story}.${mode}`;
        return `<td><img src="${addressOf(`${name}.png`)}" alt="${name}" width="${width}"></td>`;
      })
      .join('');
  const rows = stories.map(
    (story) => `<tr><th colspan="${columns.length}">${story}</th></tr><tr>${cells(story)}</tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All screens of Connect</title><style>
    body { margin: 0; font: 14px/20px system-ui, sans-serif; color: #14181f; background: #d5d9e0; }
    table { border-collapse: separate; border-spacing: 16px 4px; }
    th { text-align: start; padding-block-start: 12px; }
    td { vertical-align: top; }
    img { display: block; border: 1px solid #868f9d; }
  </style></head><body><table><tr>${columns.map(({ mode }) => `<th>${mode}</th>`).join('')}</tr>${rows.join('')}</table></body></html>`;
}
