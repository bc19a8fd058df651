import type { WebhookEvent, WebhookEventInFull, WebhooksListEventsQuery } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { limited } from '../limited.js';
import { positiveNumber } from '../../../terminal/src/option-values.js';
import { moment, several } from '../option-values.js';
import { sheet, table, type Row } from '../../../terminal/src/table.js';

interface ListOptions {
  link?: string;
  event?: string;
  status?: string[];
  since?: string;
  until?: string;
  limit: number;
}

interface ReplayOptions extends Omit<ListOptions, 'limit'> {
  dryRun?: boolean;
}

const MAX_PAGE = 500;
const STATUSES = 'pending, delivered, exhausted, disabled, no_address';

export const EVENT_COMMANDS: readonly CliCommand[] = [
  {
    name: 'events list',
    help: 'list webhooks, newest first',
    examples: ['events list --status exhausted --since 1d'],
    arguments: (command) =>
      command
        .option('--link <link_id>', 'of this link')
        .option('--event <name>', 'such as link.state_changed')
        .option('--status <names>', `of ${STATUSES}`, several, undefined)
        .option('--since <time>', 'a time such as 10m, or a timestamp', moment)
        .option('--until <time>', 'a time such as 10m, or a timestamp', moment)
        .option('--limit <number>', 'at most this many', positiveNumber, 50),
    run: async ({ client, output }, options: ListOptions) => {
      const { link, event, status, since, until, limit } = options;
      const query: WebhooksListEventsQuery = {
        order: 'desc',
        limit: Math.min(limit, MAX_PAGE),
        ...(link === undefined ? {} : { link_id: link }),
        ...(event === undefined ? {} : { webhook_event: event }),
        ...(status === undefined ? {} : { status: status as never }),
        ...(since === undefined ? {} : { created_after: since }),
        ...(until === undefined ? {} : { created_before: until }),
      };
      await output.list(limited((await client()).webhooks.listEvents(query), limit), rowOf);
    },
  },
  {
    name: 'events get',
    help: 'show a webhook with its deliveries and their attempts',
    examples: ['events get EVENT_ID'],
    arguments: (command) => command.argument('<event_id>'),
    run: async ({ client, output }, eventId: string) => {
      const event = await (await client()).webhooks.getEvent(eventId);
      output.value(event, () => describe(event));
    },
  },
  {
    name: 'replay',
    help: 'send webhooks again: one, or the failed ones of a time range',
    examples: ['replay EVENT_ID', 'replay --since 1d --dry-run'],
    arguments: (command) =>
      command
        .argument('[event_id]')
        .option('--since <time>', 'start of the range: a time such as 10m, or a timestamp', moment)
        .option('--until <time>', 'end of the range', moment)
        .option('--link <link_id>', 'of this link')
        .option('--event <name>', 'such as link.state_changed')
        .option(
          '--status <names>',
          `of ${STATUSES}; exhausted, disabled and no_address by default`,
          several,
          undefined,
        )
        .option('--dry-run', 'only count'),
    run: async ({ client, output }, eventId: string | undefined, options: ReplayOptions) => {
      const { since, until, link, event, status, dryRun } = options;
      if ((eventId === undefined) === (since === undefined))
        throw new CommandFailure(
          'No webhooks are selected.',
          'Pass either the id of an event, or --since.',
        );
      const { webhooks } = await client();
      if (eventId !== undefined) {
        const replayed = await webhooks.replayEvent(eventId);
        output.value(replayed, () => `Sent again as ${replayed.delivery_token}.`);
        return;
      }
      const counts = await webhooks.replayEvents({
        created_after: since ?? '',
        ...(until === undefined ? {} : { created_before: until }),
        ...(link === undefined ? {} : { link_id: link }),
        ...(event === undefined ? {} : { webhook_event: event }),
        ...(status === undefined ? {} : { status: status as never }),
        ...(dryRun === true ? { dry_run: true } : {}),
      });
      output.value(counts, () => sheet({ ...counts }));
    },
  },
];

function rowOf({ event_id, created_at, webhook_event, link_id, status, attempts }: WebhookEvent) {
  return { event_id, created_at, webhook_event, link_id, status, attempts };
}

function describe({ deliveries, body, ...facts }: WebhookEventInFull): string {
  const attempts = deliveries.flatMap(({ reason, url, status, attempts: made }): Row[] => {
    const delivery = { delivery: reason, url, status };
    return made.length === 0
      ? [{ ...delivery, attempt: null, response: null, ms: null }]
      : made.map(({ attempt, http_status, error, duration_ms: ms }) => ({
          ...delivery,
          attempt,
          response: http_status ?? error,
          ms,
        }));
  });
  return `${sheet({ ...facts, body: JSON.stringify(body) })}\n\n${table(attempts)}`;
}
