import fc from 'fast-check';
import { csvRow } from '../../../../domain/exports/csv.js';
import { hasPython, readCsv, textOf } from '../../../support/assertions/read-csv.js';

/**
 * Milliseconds of processor time of this thread: what other threads and processes do does not count.
 * The kernel counts in steps of some milliseconds, so `work` should need far more.
 */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const ODD = [...'=+-@＝＋－＠\';,"\t\r\n |\u0085\u2028é😀aA1'];
const odd = fc
  .array(fc.constantFrom(...ODD), { maxLength: 12 })
  .map((characters) => characters.join(''));
/** Characters of each text that are written, in texts of up to `LONG`. */
const TOTAL = 256 * 1_024;
const LONG = 64 * 1_024;
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

describe('A row of CSV', () => {
  // One process for all of them.
  const texts = fc.sample(fc.array(fc.option(odd), { minLength: 2, maxLength: 6 }), {
    numRuns: 3_000,
    seed: 7,
  });
  const written = texts.map((cells) => csvRow(cells.map((text) => ({ text })))).join('');

  (hasPython ? it : it.skip)(
    'is read back equal by an independent reader, whatever its texts',
    () => {
      expect(readCsv(written).map((row) => row.map(textOf))).toEqual(texts);
    },
  );

  (hasPython ? it : it.skip)('has no cell that a spreadsheet calculates', () => {
    expect(
      readCsv(written)
        .flat()
        .filter((cell) => FORMULA.test(cell)),
    ).toEqual([]);
  });

  (hasPython ? it : it.skip)(
    'has no formula for a spreadsheet that cuts cells at semicolons or tabs',
    () => {
      const parts = readCsv(written)
        .flat()
        .flatMap((cell) => cell.split(/[;\t\r\n]/).map((part) => part.replace(/^[\s"]+/, '')));
      expect(parts.filter((part) => FORMULA.test(part))).toEqual([]);
    },
  );

  it.each([
    ['=1+1', "'=1+1"],
    ["'quoted", "''quoted"],
    ['', "'"],
    [null, ''],
    ['\t=1', '"\'\t\'=1"'],
    ['a;-1', '"a;\'-1"'],
    ['say "no", now', '"say ""no"", now"'],
    ['a\r\nb', '"a\r\nb"'],
    ['plain - text', 'plain - text'],
  ])('writes the text %j as %j', (text, cell) => {
    expect(csvRow([{ text }, { text: 'x' }])).toBe(`${cell},x\r\n`);
  });

  it('has an apostrophe in every place that its rule names', () => {
    // The rule of native-api 3.7 as an expression, which takes quadratic time.
    const rule = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[\s"]*['=+\-@＝＋－＠])/gu;
    fc.assert(
      fc.property(odd, (text) => {
        const marked = text === '' ? "'" : text.replaceAll(rule, "'");
        expect(csvRow([{ text }, { text: ';' }])).toBe(
          `${/[",;\t\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked},";"\r\n`,
        );
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('takes as long for one long text as for short ones of the same length', () => {
    const units = ['\t', '\n', ' ', '"', ';', "'", '\t=', '; ', '\n"', '\u00a0'];
    const costOf = (length: number) => {
      const rows = units.map((unit) => [{ text: `=x${unit.repeat(length / unit.length)}x` }]);
      return processorTime(() => {
        for (const row of rows)
          for (let written = 0; written < TOTAL; written += length) csvRow(row);
      });
    };
    costOf(LONG);
    // In quadratic time it would take 64 times as long.
    expect(costOf(LONG) / costOf(LONG / 64)).toBeLessThan(8);
  });

  it('leaves the numbers of the service as they are', () => {
    expect(csvRow([{ number: '-12345678901234567.89' }, { number: null }])).toBe(
      '-12345678901234567.89,\r\n',
    );
  });
});
