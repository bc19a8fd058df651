import type { Environment } from '../../../../../domain/api/environment.js';
import { TransitionRefused } from '../../../../../domain/errors/change-refused.js';
import { LinkRepository } from '../../../../../prisma/links/link/link.repository.js';
import { listUnrevoked } from '../../../../../prisma/sources/permissions/unrevoked-permission.js';
import { LINK_ROUTE_COMMANDS } from './link-route-commands.js';
import { LINK_TIMELINE } from './link-timeline-command.js';
import { EXPORT_LINK } from '../exports/export-commands.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { reasonOption } from '../../reason-option.js';
import { presentUnrevoked, showLink } from '../../operations/links/show-link.js';
import type { ShownLink } from '../../operations/links/shown-link.js';

export const LINK_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'links show',
    help: 'show state, products, due times, workflows and last events of a link',
    examples: ['links show LINK_ID'],
    recorded: false,
    arguments: (command) => command.argument('<link_id>'),
    run: async ({ database, output }, linkId: string) => {
      const shown = await showLink({ database }, linkId);
      if (shown === null) throw new CommandFailure(`There is no link ${linkId}.`);
      output.value(shown, () => describe(shown));
    },
  },
  {
    name: 'links unrevoked',
    help: 'list permissions that were erased here and must be ended at their sources',
    examples: ['links unrevoked --limit 20'],
    recorded: false,
    arguments: (command) =>
      command.option('--limit <number>', 'how many, newest first', wholeNumber, 100),
    run: async ({ database, output }, { limit }: { limit: number }) => {
      const rows = (await listUnrevoked(database, limit)).map((permission) => ({
        link_id: permission.linkId,
        app_id: permission.appId,
        environment: permission.environment,
        institution_id: permission.institutionId,
        adapter: permission.adapter,
        ...presentUnrevoked(permission),
      }));
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'links delete',
    help: 'delete a link as its app would: the permission ends at the bank, and the data is erased',
    examples: ['links delete LINK_ID --reason "its owner asked for it"'],
    recorded: true,
    arguments: (command) => command.argument('<link_id>').addOption(reasonOption()),
    run: async ({ context, database, output }, linkId: string) => {
      const link = await database.prisma.link.findUnique({
        where: { linkId },
        select: { appId: true, environment: true },
      });
      if (link === null) throw new CommandFailure(`There is no link ${linkId}.`);
      const tenant = { ...link, environment: link.environment as Environment };
      try {
        await new LinkRepository(context).delete(tenant, linkId);
      } catch (error) {
        if (!(error instanceof TransitionRefused)) throw error;
        throw new CommandFailure(`The link ${linkId} is deleted already.`);
      }
      output.value({ link_id: linkId, state: 'deleted' }, () => `${linkId} is deleted.`);
    },
  },
  LINK_TIMELINE,
  EXPORT_LINK,
  ...LINK_ROUTE_COMMANDS,
];

function describe({
  products,
  events,
  workflow_ids,
  incomplete_accounts: incomplete,
  unrevoked_permissions: unrevoked,
  ...facts
}: ShownLink): string {
  return [
    sheet(facts),
    'Products',
    table(products.map((row) => ({ ...row }))),
    ...(incomplete.length === 0
      ? []
      : [
          'Accounts of which the last fetch was incomplete',
          table(incomplete.map((row) => ({ ...row }))),
        ]),
    'Workflows',
    workflow_ids.join('\n'),
    'Last events, newest first',
    table(events.map((row) => ({ ...row }))),
    ...(unrevoked.length === 0
      ? []
      : [
          'Permissions that were not revoked at the bank',
          table(unrevoked.map((row) => ({ ...row }))),
        ]),
  ].join('\n\n');
}
