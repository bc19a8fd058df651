import {
  printable,
  printableJson,
  printableLines,
} from '../../../clients/cli/src/output/printable.js';

export type Row = Record<string, unknown>;

export interface OutputOptions {
  json?: boolean;
}

/** Prints for a program (`--json`: exactly one value) or for a person. */
export type Print = (value: unknown, options: OutputOptions, asText: () => string) => void;

export const printTo =
  (out: (text: string) => void): Print =>
  (value, { json }, asText) => {
    out(
      `${json === true ? printableJson(JSON.stringify(value, null, 2)) : printableLines(asText())}\n`,
    );
  };

/** Columns under their names, as wide as their values. */
export function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One `name  value` per line. */
export function sheet(facts: Row): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return value.toISOString();
  return printable(Array.isArray(value) ? value.join(', ') || '–' : String(value));
}
