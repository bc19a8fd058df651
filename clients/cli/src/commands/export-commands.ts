import { open } from 'node:fs/promises';
import type { ExportTable } from '@tributary/node';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';

interface ExportOptions {
  format: 'json' | 'jsonl' | 'csv';
  data?: ExportTable;
  bom?: boolean;
  out?: string;
}

const FORMATS = ['json', 'jsonl', 'csv'];
const TABLES: readonly string[] = [
  'transactions',
  'holdings',
  'investment_transactions',
  'liabilities',
] satisfies ExportTable[];

export const EXPORT_COMMANDS: readonly CliCommand[] = (['link', 'user'] as const).map((kind) => ({
  name: `export ${kind}`,
  help: `write all data stored for a ${kind} to standard output or a file`,
  examples: [
    `export ${kind} ${kind === 'link' ? 'LINK_ID' : 'user-4711'} --format csv --out ${kind}.csv`,
    `export ${kind} ${kind === 'link' ? 'LINK_ID' : 'user-4711'} --format csv --data holdings`,
  ],
  arguments: (command) =>
    command
      .argument(`<${kind}_id>`)
      .option('--format <format>', FORMATS.join(', '), 'json')
      .option('--data <table>', `the table of csv: ${TABLES.join(', ')}; by default transactions`)
      .option('--bom', 'a byte order mark before csv, which Excel needs')
      .option('--out <file>', 'a new file, which only you can read'),
  run: async (context: CommandContext, id: string, options: ExportOptions) => {
    const { format, data, bom = false, out } = options;
    check(options);
    const client = await context.client();
    const source = kind === 'link' ? client.links : client.users;
    const chunks = await (format === 'json'
      ? source.export(id).then(jsonText)
      : source.export(id, {
          format,
          ...(data === undefined ? {} : { data }),
          ...(bom ? { bom } : {}),
        }));
    if (out === undefined) {
      await context.output.file(chunks, { isJson: format !== 'csv' });
      return;
    }
    await writeNew(out, chunks);
    context.output.value({ file: out }, () => `Wrote ${out}.`);
  },
}));

/** @throws CommandFailure */
function check({ format, data, bom = false }: ExportOptions): void {
  if (!FORMATS.includes(format))
    throw new CommandFailure(
      `There is no format ${JSON.stringify(format)}.`,
      `Choose one of ${FORMATS.join(', ')}.`,
    );
  if (data !== undefined && !TABLES.includes(data))
    throw new CommandFailure(
      `There is no table ${JSON.stringify(data)}.`,
      `Choose one of ${TABLES.join(', ')}.`,
    );
  if (data !== undefined && format !== 'csv')
    throw new CommandFailure('Only csv has tables.', 'Add --format csv, or leave --data out.');
  if (bom && format !== 'csv')
    throw new CommandFailure(
      'Only csv has a byte order mark.',
      'Add --format csv, or leave --bom out.',
    );
}

async function* jsonText(value: unknown): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}

async function writeNew(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      error.code === 'EEXIST'
        ? `The file ${path} already exists.`
        : `The file ${path} cannot be written (${error.code}).`,
      'Choose another name.',
    );
  });
  try {
    for await (const chunk of chunks) await file.write(chunk);
  } finally {
    await file.close();
  }
}
