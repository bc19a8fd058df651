import type { Command } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../../../../domain/api/environment.js';
import {
  EXPORT_FORMATS,
  EXPORT_TABLES,
  type ExportForm,
  type ExportFormat,
  type ExportTable,
} from '../../../../../domain/exports/export-format.js';
import { ALL_DETAILS } from '../../../../../domain/exports/exported-details.js';
import { ExportData } from '../../../../../prisma/views/exports/export-data.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { CommandService, OperatorCommand } from '../../operator-command.js';
import { oneOf } from '../../../../../clients/terminal/src/option-values.js';
import { sheet } from '../../../../../clients/terminal/src/table.js';
import { writeExport } from './write-export.js';
import { RecordedOption } from '../../recorded-option.js';

interface ExportOptions {
  format: ExportFormat;
  bom?: boolean;
  data?: ExportTable;
  to: string;
}

/** Both are recorded: they write personal data to a file. */
export const EXPORT_USER: OperatorCommand = {
  name: 'users export',
  help: 'write everything stored about a user to a new file',
  examples: ['users export pocket-ledger live user-4711 --format csv --to user-4711.csv'],
  recorded: true,
  shownArguments: 2,
  arguments: (command) =>
    exportOptions(
      command
        .argument('<app_id>')
        .argument(`<${ENVIRONMENTS.join('|')}>`, 'environment', oneOf(...ENVIRONMENTS))
        .argument('<user_id>', "the app's own id of the user"),
    ),
  run: async (
    service: CommandService,
    appId: string,
    environment: Environment,
    userId: string,
    options: ExportOptions,
  ) => {
    const { applications, context, database, settings } = service;
    if ((await applications.getApplication(appId)) === null)
      throw new CommandFailure(`There is no app ${appId}.`);
    const user = await database.prisma.customerUser.findUnique({
      where: { appId_environment_userId: { appId, environment, userId } },
      select: { pk: true },
    });
    if (user === null) throw new CommandFailure(`There is no user ${userId} in ${environment}.`);
    const form = formOf(options);
    const exports = new ExportData(context, settings);
    await write(service, exports.user({ appId, environment }, userId, form, ALL_DETAILS), options);
  },
};

export const EXPORT_LINK: OperatorCommand = {
  name: 'links export',
  help: 'write everything stored about a link to a new file',
  examples: ['links export LINK_ID --format json --to link.json'],
  recorded: true,
  arguments: (command) => exportOptions(command.argument('<link_id>')),
  run: async (service: CommandService, linkId: string, options: ExportOptions) => {
    const { context, database, settings } = service;
    const form = formOf(options);
    const link = await database.prisma.link.findUnique({
      where: { linkId },
      select: { appId: true, environment: true },
    });
    const environment = ENVIRONMENTS.find((name) => name === link?.environment);
    if (link === null || environment === undefined)
      throw new CommandFailure(`There is no link ${linkId}.`);
    const tenant = { appId: link.appId, environment };
    await write(
      service,
      new ExportData(context, settings).link(tenant, linkId, form, ALL_DETAILS),
      options,
    );
  },
};

function exportOptions(command: Command): Command {
  return command
    .requiredOption(
      `--format <${EXPORT_FORMATS.join('|')}>`,
      'csv: what is current as a table; others: everything',
      oneOf(...EXPORT_FORMATS),
    )
    .option(
      `--data <${EXPORT_TABLES.join('|')}>`,
      'the table of csv (default: transactions)',
      oneOf(...EXPORT_TABLES),
    )
    .option('--bom', 'a byte order mark before csv, which Excel needs')
    .addOption(
      new RecordedOption(
        '--to <file>',
        'a new file, which only its owner may read',
      ).makeOptionMandatory(),
    );
}

/** @throws CommandFailure */
function formOf({ format, bom = false, data }: ExportOptions): ExportForm {
  if (bom && format !== 'csv') throw new CommandFailure('Only csv has a byte order mark.');
  if (data !== undefined && format !== 'csv') throw new CommandFailure('Only csv has tables.');
  return { format, bom, data: data ?? 'transactions' };
}

async function write(
  { output }: CommandService,
  text: AsyncIterable<string>,
  options: ExportOptions,
): Promise<void> {
  const bytes = await writeExport(options.to, text, (line) => output.note(line));
  const shown = { file: options.to, format: options.format, bytes };
  output.value(shown, () => sheet(shown));
}
