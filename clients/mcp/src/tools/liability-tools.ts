import { z } from 'zod';
import { linkChoice } from '../links/link-choice.js';
import { LinkReading } from '../links/link-reading.js';
import { readRows } from '../links/read-rows.js';
import { liabilityResult } from '../results/liability-result.js';
import { offset, rowsFrom } from '../serving/inputs.js';
import { defineTool, type Tool } from '../serving/tool.js';

/** native-api 3.15: the most that one page holds. */
const MAX_PAGE = 200;

/** @param scopes of the key pair, by name */
export function liabilityTools(scopes: ReadonlySet<string>): Tool[] {
  const get = defineTool({
    name: 'get_liabilities',
    description:
      'List the debts of all links, or of one: cards, credit lines and loans with balances, rates in percent a year and next payments. What is owed is positive; null is unknown, never 0. What unread_links names is missing.',
    scope: 'liabilities:read',
    input: z.strictObject({ ...linkChoice(scopes), offset }),
    async run({ offset: from, ...choice }, context) {
      const reading = await LinkReading.start(choice, context);
      const read = await reading.each('liabilities', async (id) => {
        const query = { limit: MAX_PAGE };
        const list = context.tributary.liabilities.list(id, query, reading.options);
        const { rows, link } = await readRows(list, from);
        return { link, debts: rows.map((debt) => ({ link_id: id, ...liabilityResult(debt) })) };
      });
      const { rows, next_offset } = rowsFrom(
        read.flatMap(({ debts }) => debts),
        from,
      );
      return {
        ...reading.covering(
          read.map(({ link }) => link),
          ['liabilities'],
        ),
        liabilities: rows,
        next_offset,
      };
    },
  });
  return [get];
}
