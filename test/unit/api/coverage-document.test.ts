import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const document = read('docs/contract-coverage.md');

/** The numbers in the first column of the table below a heading. */
function numbersBelow(text: string, heading: RegExp): number[] {
  const [, after = ''] = text.split(heading);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell = '']) => cell.split(',').map(Number));
}

describe('docs/contract-coverage.md', () => {
  const proofs = [...document.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', words = '']) => ({ file, words }));

  it('names no file without words to search for', () => {
    expect(proofs.length).toBe([...document.matchAll(/`test\//g)].length);
  });

  it.each(proofs)('$file has "$words"', ({ file, words }) => {
    expect(existsSync(new URL(file, ROOT))).toBe(true);
    expect(read(file)).toContain(words);
  });

  it('has every call and every check of the contract, once', () => {
    expect(numbersBelow(document, /^## The calls$/m)).toEqual(numbersBelow(read('docs/contract/native-api.md'), /^## 2\. Endpoint table$/m));
    expect(numbersBelow(document, /^## The checks of link-lifecycle 15$/m)).toEqual(numbersBelow(read('docs/contract/link-lifecycle.md'), /^## 15\. Checks that prove this file$/m));
    expect(numbersBelow(document, /^## The calls$/m)).toHaveLength(28);
  });
});
