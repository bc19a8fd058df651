import { colorsOf, type Colors } from './colors.js';
import { printableJson, printableLines } from './printable.js';
import { table, type Row } from './table.js';

/** The part of a stream of the process that programs use. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(chunk: Uint8Array | string, done?: (error?: Error | null) => void): unknown;
}

export interface OutputStreams {
  stdout: OutputStream;
  stderr: OutputStream;
}

export interface OutputForm {
  isJson: boolean;
  /** Spaces for each level of JSON; missing = one line. */
  indent?: number;
}

/** Prints for a person, or with `--json` for a program: one value, or one line of JSON for each row. */
export class Output {
  readonly colors: Colors;
  readonly isJson: boolean;

  constructor(
    private readonly streams: OutputStreams,
    env: Readonly<Record<string, string | undefined>>,
    private readonly form: OutputForm,
  ) {
    this.colors = colorsOf(streams.stdout, env);
    this.isJson = form.isJson;
  }

  /** The result of a command. */
  value(value: unknown, asText: () => string): void {
    this.line(
      this.isJson
        ? printableJson(JSON.stringify(value, null, this.form.indent))
        : printableLines(asText()),
    );
  }

  /** One of many results, as they come. Its text may have colors, so texts of others in it are made `printable` before. */
  row(value: unknown, asText: () => string): void {
    this.line(this.isJson ? printableJson(JSON.stringify(value)) : asText());
  }

  /** A list: JSON as the rows arrive, a table once they all have. */
  async list<Item>(items: AsyncIterable<Item>, toRow: (item: Item) => Row): Promise<void> {
    const rows: Row[] = [];
    for await (const item of items) {
      if (this.isJson) this.line(printableJson(JSON.stringify(item)));
      else rows.push(toRow(item));
    }
    if (!this.isJson) this.line(table(rows));
  }

  /** Progress, on standard error: it is no result. */
  note(text: string): void {
    if (!this.isJson) this.streams.stderr.write(`${text}\n`);
  }

  /** A file as the result: byte for byte, and at a terminal without what could move its cursor. */
  async file(chunks: AsyncIterable<Uint8Array>, { isJson }: { isJson: boolean }): Promise<void> {
    if (this.streams.stdout.isTTY !== true) {
      for await (const chunk of chunks) await this.raw(chunk);
      return;
    }
    const shown = isJson ? printableJson : printableLines;
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of chunks) {
      text += decoder.decode(chunk, { stream: true });
      // What follows a CR decides about it.
      const end = text.length - (text.endsWith('\r') ? 1 : 0);
      await this.raw(shown(text.slice(0, end)));
      text = text.slice(end);
    }
    await this.raw(shown(text + decoder.decode()));
  }

  private raw(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) =>
      this.streams.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  }

  private line(text: string): void {
    this.streams.stdout.write(`${text}\n`);
  }
}
