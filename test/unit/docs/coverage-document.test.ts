import { existsSync, readFileSync } from 'node:fs';
import { PLAID_WEBHOOK_NAMES } from '../../../domain/plaid/webhooks.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const document = read('docs/contract-coverage.md');

/** The numbers in the first column of the table below a heading. */
function numbersBelow(text: string, heading: RegExp): number[] {
  const [, after = ''] = text.split(heading);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(',').map(Number),
  );
}

describe('docs/contract-coverage.md', () => {
  const proofs = [...document.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(
    ([, file = '', words = '']) => ({ file, words }),
  );

  it('quotes a test title for every file it names', () => {
    expect(proofs.length).toBe([...document.matchAll(/`test\//g)].length);
  });

  it.each(proofs)('cites $file, which contains "$words"', ({ file, words }) => {
    expect(existsSync(new URL(file, ROOT))).toBe(true);
    expect(read(file)).toContain(words);
  });

  it('has every call and every check of the contract once', () => {
    expect(numbersBelow(document, /^## The calls$/m)).toEqual(
      numbersBelow(read('docs/contract/native-api.md'), /^## 2\. Endpoint table$/m),
    );
    expect(numbersBelow(document, /^## The checks of link-lifecycle 15$/m)).toEqual(
      numbersBelow(
        read('docs/contract/link-lifecycle.md'),
        /^## 15\. Checks that prove this file$/m,
      ),
    );
    expect(numbersBelow(document, /^## The calls$/m)).toHaveLength(30);
  });

  describe('for plaid-compat', () => {
    const contract = read('docs/contract/plaid-compat.md');

    it('has every section with a statement of its own once', () => {
      const numbers = [...contract.matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(
        ([, number = '']) => number,
      );
      // Those with parts are their parts; 7 and 12 have tables of their own.
      const leaves = numbers.filter(
        (number) =>
          !['7', '12'].includes(number) &&
          (number === '4' || !numbers.some((other) => other.startsWith(`${number}.`))),
      );
      const shown = rowsBelow(document, /^## plaid-compat, by section$/m).map(
        ([first = '']) => first.split(',')[0] ?? '',
      );
      expect(shown.toSorted()).toEqual(leaves.toSorted());
    });

    it('has every operation, every further call and every pitfall once', () => {
      const inTable = rowsBelow(contract, /^## 6\. The twelve operations$/m).map(
        ([first = '']) => first,
      );
      const inHeadings = [...contract.matchAll(/^### 6\.\d `POST (\S+)` \((\d+)\)$/gm)].map(
        ([, path = '', number = '']) => `${number} \`${path}\``,
      );
      const operations = rowsBelow(document, /^## plaid-compat 6, the twelve operations$/m).map(
        ([number = '', path = '']) => `${number} ${path}`,
      );
      expect(operations).toHaveLength(12);
      expect(operations.toSorted()).toEqual([...inTable, ...inHeadings].toSorted());
      const firstCells = (text: string, heading: RegExp) =>
        rowsBelow(text, heading).map(([first]) => first);
      expect(firstCells(document, /^## plaid-compat 7, further calls$/m)).toEqual(
        firstCells(contract, /^## 7\. Extra endpoints$/m),
      );
      expect(firstCells(document, /^## plaid-compat 12, pitfalls$/m)).toEqual(
        firstCells(contract, /^## 12\. Pitfalls$/m),
      );
    });

    it('has every webhook once', () => {
      const shown = rowsBelow(document, /^## plaid-compat 8\.1, webhooks$/m).flatMap(
        ([type = '', codes = '']) => [...codes.matchAll(/\w+/g)].map(([code]) => `${type}.${code}`),
      );
      expect(shown.toSorted()).toEqual([...PLAID_WEBHOOK_NAMES].toSorted());
    });
  });
});

/** The cells of the table below a heading, without its head. */
function rowsBelow(text: string, heading: RegExp): string[][] {
  const [, after = ''] = text.split(heading);
  const [section = ''] = after.split(/^##+ /m);
  return [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ')).slice(1);
}
