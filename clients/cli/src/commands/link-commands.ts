import type { Link, LinksListQuery } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { limited } from '../limited.js';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import { several } from '../option-values.js';
import { sheet, table } from '../../../terminal/src/table.js';

interface ListOptions {
  state?: string;
  error?: string;
  user?: string;
  tag?: string;
  institution?: string;
  order?: string;
  include?: string[];
  limit: number;
}

/** native-api 3.4: the most that one page holds. */
const MAX_PAGE = 500;

export const LINK_COMMANDS: readonly CliCommand[] = [
  {
    name: 'links list',
    help: 'list links, oldest first',
    examples: ['links list --state error --limit 10', 'links list --order desc --include deleted'],
    arguments: (command) =>
      command
        .option(
          '--state <state>',
          'connected, error, or another state, whose links are then listed',
        )
        .option('--error <code>', 'an error of links, such as auth_expired')
        .option('--user <id>', 'a customer_user.id')
        .option('--tag <tag>', 'one of its tags')
        .option('--institution <id>', 'its institution')
        .option('--order <order>', 'asc or desc, which is newest first')
        .option(
          '--include <kinds>',
          'never_connected, deleted or both, separated by commas',
          several,
        )
        .option('--limit <number>', 'at most this many', positiveNumber, 50),
    run: async ({ client, output }, { institution, limit, ...filters }: ListOptions) => {
      const query = defined({ ...filters, institution_id: institution });
      const list = (await client()).links.list({
        ...(query as LinksListQuery),
        limit: Math.min(limit, MAX_PAGE),
      });
      await output.list(limited(list, limit), rowOf);
    },
  },
  {
    name: 'links get',
    help: 'show a link with the state of its products',
    examples: ['links get LINK_ID'],
    arguments: (command) => command.argument('<link_id>'),
    run: async ({ client, output }, linkId: string) => {
      const link = await (await client()).links.get(linkId);
      output.value(link, () => describe(link));
    },
  },
  {
    name: 'links refresh',
    help: 'ask the bank for fresh data',
    examples: ['links refresh LINK_ID --products accounts,transactions'],
    arguments: (command) =>
      command
        .argument('<link_id>')
        .option('--products <names>', 'of its products, separated by commas', several, undefined),
    run: async ({ client, output }, linkId: string, { products }: { products?: string[] }) => {
      const { links } = await client();
      const named = products ?? Object.keys((await links.get(linkId)).products);
      const link = await links.refreshProducts(linkId, { products: named as never });
      output.value(
        link,
        () => `Requested ${named.join(', ')}. The event link.product_refresh announces the end.`,
      );
    },
  },
  {
    name: 'links delete',
    help: 'disconnect a link and end all reads of its data',
    examples: ['links delete LINK_ID --yes'],
    arguments: (command) => command.argument('<link_id>').option('--yes', 'do not ask'),
    run: async ({ client, output, prompts }, linkId: string, { yes }: { yes?: boolean }) => {
      if (yes !== true) await prompts.confirm(`Delete the link ${linkId} and its data?`, '--yes');
      await (await client()).links.delete(linkId);
      output.value({ link_id: linkId, state: 'deleted' }, () => `Deleted ${linkId}.`);
    },
  },
];

function rowOf(link: Link) {
  const { link_id, state, error_code, institution_name, customer_user_id, last_synced_at } = link;
  return {
    link_id,
    state: error_code ?? state,
    institution: institution_name,
    user: customer_user_id,
    last_synced_at,
  };
}

function describe(link: Link): string {
  const { link_id, state, error_code, error_message, institution_name, provider } = link;
  const products = Object.entries(link.products).map(([product, status]) => ({
    product,
    refreshed_at: status.refreshed_at,
    stale: status.stale,
    error: status.error_code,
  }));
  const facts = {
    link_id,
    state,
    error: error_code === null ? null : `${error_code}: ${error_message ?? ''}`,
    institution: institution_name,
    provider,
    user: link.customer_user_id,
    tags: link.tags,
    webhook: link.webhook,
    created_at: link.created_at,
    last_synced_at: link.last_synced_at,
    permission_ends_at: link.permission_ends_at,
  };
  return `${sheet(facts)}\n\n${table(products)}`;
}

/** Without the members that are undefined. */
function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
