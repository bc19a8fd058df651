const TEXT_WIDTH = 48;

/** Prints the story line by line: each action, its call and its result. */
export class Narrator {
  private steps = 0;

  constructor(private readonly write: (text: string) => void) {}

  /** A numbered step and its call. */
  step(what: string, call: string): void {
    this.steps += 1;
    this.write(`\n${String(this.steps).padStart(2)}  ${what.padEnd(TEXT_WIDTH)}${call}\n`);
  }

  /** The result of a step. */
  result(line: string): void {
    this.write(`      ${line}\n`);
  }

  /** Rows with aligned columns; amounts are right-aligned. */
  rows(rows: readonly (readonly (string | number)[])[]): void {
    const columns = Math.max(0, ...rows.map((row) => row.length));
    const widths = Array.from({ length: columns }, (_, column) =>
      Math.max(...rows.map((row) => textOf(row[column]).length)),
    );
    for (const row of rows) {
      const cells = row.map((cell, column) =>
        typeof cell === 'number'
          ? textOf(cell).padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      );
      this.result(cells.join('  ').trimEnd());
    }
  }
}

const textOf = (cell: string | number | undefined): string =>
  typeof cell === 'number' ? cell.toFixed(2) : (cell ?? '');
