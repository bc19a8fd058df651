/** A cell that holds text of others, or a number that we write; null = an empty cell. */
export type CsvCell = { text: string | null } | { number: string | null };

/** A row of RFC 4180, with its line break. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted('number' in cell ? cell.number : inert(cell.text))).join(',')}\r\n`;
}

/** Begins a formula in a spreadsheet, or would be mistaken for our apostrophe. */
const ACTIVE = new Set("'=+-@＝＋－＠");
const MAY_BE_ACTIVE = /['=+\-@＝＋－＠]/;
/** Hides the start of a cell. */
const BREAK = /^[\t\r\n]/;
/** May precede a formula. */
const BLANK = /[\s"]/;
/** Some spreadsheets also cut cells at semicolons or tabs, and every one cuts an unquoted cell at line breaks. */
const CUTS = new Set(';\t\r\n');

/**
 * Text that no spreadsheet calculates: an apostrophe precedes it. A reader removes the apostrophes
 * that `/(?<=^|[;\t\r\n])'/g` finds. An empty text becomes one apostrophe, because an empty cell
 * means null. Source: native-api 3.7.
 */
function inert(text: string | null): string | null {
  if (text === null) return null;
  if (text === '') return "'";
  return MAY_BE_ACTIVE.test(text) || BREAK.test(text) ? marked(text) : text;
}

/** From the end, so that each character is looked at once, however many blanks there are. */
function marked(text: string): string {
  const parts: string[] = [];
  let end = text.length;
  let leadsToFormula = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    leadsToFormula = ACTIVE.has(character) || (leadsToFormula && BLANK.test(character));
    const isMarked =
      at === 0
        ? leadsToFormula || BREAK.test(text)
        : leadsToFormula && CUTS.has(text.charAt(at - 1));
    if (!isMarked) continue;
    parts.push(text.slice(at, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse().join("'");
}

function quoted(cell: string | null): string {
  return cell !== null && /[",;\t\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : (cell ?? '');
}
