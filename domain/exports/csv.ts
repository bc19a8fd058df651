/** A cell that holds text of others, or a number that we write; null = an empty cell. */
export type CsvCell = { text: string | null } | { number: string | null };

/** A row of RFC 4180, with its line break. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quoted('number' in cell ? cell.number : inert(cell.text))).join(',')}\r\n`;
}

/**
 * Begins a formula in a spreadsheet, or would be mistaken for our apostrophe. Some spreadsheets also
 * cut cells at semicolons or tabs, and every one cuts an unquoted cell at line breaks.
 */
const ACTIVE = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[\s"]*['=+\-@＝＋－＠])/gu;

/**
 * Text that no spreadsheet calculates: an apostrophe precedes it. A reader removes the apostrophes
 * that `/(?<=^|[;\t\r\n])'/g` finds. An empty text becomes one apostrophe, because an empty cell
 * means null. Source: native-api 3.7.
 */
function inert(text: string | null): string | null {
  return text === '' ? "'" : (text?.replaceAll(ACTIVE, "'") ?? null);
}

function quoted(cell: string | null): string {
  return cell !== null && /[",;\t\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : (cell ?? '');
}
