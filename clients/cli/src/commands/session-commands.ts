import type { LinkSession, LinkSessionsListQuery } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { limited } from '../limited.js';
import { positiveNumber } from '../../../terminal/src/option-values.js';

interface ListOptions {
  state?: string;
  user?: string;
  link?: string;
  limit: number;
}

/** native-api 7: the most that one page holds. */
const MAX_PAGE = 500;

export const SESSION_COMMANDS: readonly CliCommand[] = [
  {
    name: 'sessions list',
    help: 'list link sessions of the last 90 days, newest first',
    examples: ['sessions list --user user-4711', 'sessions list --link LINK_ID --limit 5'],
    arguments: (command) =>
      command
        .option('--state <state>', 'a state of sessions, such as open')
        .option('--user <id>', 'a customer_user.id')
        .option('--link <link_id>', 'the link that it created, repaired or is to repair')
        .option('--limit <number>', 'at most this many', positiveNumber, 50),
    run: async ({ client, output }, { state, user, link, limit }: ListOptions) => {
      const query = {
        ...(state === undefined ? {} : { state }),
        ...(user === undefined ? {} : { user }),
        ...(link === undefined ? {} : { link_id: link }),
        limit: Math.min(limit, MAX_PAGE),
      };
      const list = (await client()).linkSessions.list(query as LinkSessionsListQuery);
      await output.list(limited(list, limit), rowOf);
    },
  },
];

function rowOf(session: LinkSession) {
  const { session_id, mode, state, outcome, customer_user, link_id, created_at } = session;
  return { session_id, mode, state: outcome ?? state, user: customer_user.id, link_id, created_at };
}
