import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Shorter ones, such as "See above.", may recur. */
const MIN_PARAGRAPH = 80;

/** A page without its code, its tables and its generated parts. */
const proseOf = (page: string): string =>
  readFileSync(page, 'utf8')
    .replace(/^<!-- generated .*?^<!-- end -->$/gms, '')
    .replace(/^ *```.*?^ *```/gms, '')
    .replace(/^\|.*$/gm, '');

/** The headings of a page, each with those above it: `Upgrade > Workers > Rollback`. */
function headingsOf(page: string): string[] {
  const path: string[] = [];
  return [...proseOf(page).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => {
    path.length = marks.length - 1;
    path.push(title);
    return path.join(' > ');
  });
}

/** Paragraphs and items of lists, on one line each. */
const paragraphsOf = (page: string): string[] =>
  proseOf(page)
    .split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/)
    .map((text) => text.trim().replace(/^(?:[-*]|\d+\.) /, ''))
    .map((text) => text.replaceAll(/\s+/g, ' '))
    .filter((text) => text.length >= MIN_PARAGRAPH);

const repeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) < index);

describe('The pages of docs', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .filter((page) => !/^This page is generated/m.test(readFileSync(page, 'utf8')));

  it('have no heading twice in the same place of a page', () => {
    expect(pages.length).toBeGreaterThan(50);
    const twice = pages.map((page) => [page, repeated(headingsOf(page))] as const);
    expect(twice.filter(([, headings]) => headings.length > 0)).toEqual([]);
  });

  it('have no paragraph twice, whether on one page or on two', () => {
    const paragraphs = pages.flatMap((page) => paragraphsOf(page));
    expect(paragraphs.length).toBeGreaterThan(1_000);
    expect(repeated(paragraphs)).toEqual([]);
  });
});
