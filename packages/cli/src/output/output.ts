import { colorsOf, type Colors } from './colors.js';
import { table, type Row } from './table.js';

export interface OutputStreams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Prints for a person, or with `--json` for a program: one value, or one line of JSON for each row. */
export class Output {
  readonly colors: Colors;

  constructor(
    private readonly streams: OutputStreams,
    env: NodeJS.ProcessEnv,
    readonly isJson: boolean,
  ) {
    this.colors = colorsOf(streams.stdout, env);
  }

  /** The result of a command. */
  value(value: unknown, asText: () => string): void {
    this.line(this.isJson ? JSON.stringify(value) : asText());
  }

  /** One of many results, as they come. */
  row(value: unknown, asText: () => string): void {
    this.value(value, asText);
  }

  /** A list: JSON as the rows arrive, a table once they all have. */
  async list<Item>(items: AsyncIterable<Item>, toRow: (item: Item) => Row): Promise<void> {
    const rows: Row[] = [];
    for await (const item of items) {
      if (this.isJson) this.line(JSON.stringify(item));
      else rows.push(toRow(item));
    }
    if (!this.isJson) this.line(table(rows));
  }

  /** Progress, on standard error: it is no result. */
  note(text: string): void {
    if (!this.isJson) this.streams.stderr.write(`${text}\n`);
  }

  /** Text for the result that is not a line, such as a file. */
  raw(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.streams.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  private line(text: string): void {
    this.streams.stdout.write(`${text}\n`);
  }
}
