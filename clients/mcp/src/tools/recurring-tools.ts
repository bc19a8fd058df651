import type { Link, RecurringStream } from '@tributary/node';
import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import { LinkReading } from '../links/link-reading.js';
import { untrustedText } from '../results/untrusted-text.js';
import { offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';

/** The most that one page of the service holds. */
const MAX_PAGE = 200;

/** @param scopes of the key pair, by name */
export function recurringTools(scopes: ReadonlySet<string>): Tool[] {
  const get = defineTool({
    name: 'get_recurring',
    description:
      'List payments that return, such as salaries, bills and subscriptions, of all links or of one, each with its interval, its amounts and its next date. What unread_links names is missing.',
    scope: 'transactions:read',
    input: z.strictObject({
      ...linkChoice(scopes),
      status: z.enum(['mature', 'early', 'ended']).optional(),
      offset,
    }),
    async run({ offset: from, status, ...choice }, context) {
      const reading = await LinkReading.start(choice, context);
      const query = { limit: MAX_PAGE, ...(status === undefined ? {} : { status }) };
      const read = await reading.each('transactions', async (id) => {
        const list = context.tributary.recurring.list(id, query, reading.options);
        const rows: ReturnType<typeof streamResult>[] = [];
        let link: Link | undefined;
        for await (const { items, body } of list.pages()) {
          rows.push(...items.map((stream) => streamResult(stream, id)));
          ({ link } = body);
        }
        return { links: link === undefined ? [] : [link], rows };
      });
      const { rows, next_offset } = rowsFrom(
        read.flatMap(({ rows: ofLink }) => ofLink),
        from,
      );
      return {
        ...reading.covering(
          read.flatMap(({ links }) => links),
          ['transactions'],
        ),
        streams: rows,
        next_offset,
      };
    },
  });
  return [get];
}

function streamResult({ label, transaction_ids, why, ...stream }: RecurringStream, linkId: string) {
  const { stream_id, account_id, direction, interval, amounts, status, next } = stream;
  return {
    link_id: linkId,
    stream_id,
    account_id,
    untrusted_label: untrustedText(label),
    direction,
    interval,
    amounts,
    first_date: stream.first_date,
    last_date: stream.last_date,
    status,
    next,
    is_transfer: stream.is_transfer,
    transaction_count: stream.transaction_count,
    last_transaction_id: transaction_ids[0] ?? null,
    chance: why.chance,
  };
}
