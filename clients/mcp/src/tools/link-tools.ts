import type { Link, LinkErrorInput } from '@tributary/node';
import { z } from 'zod';
import { oldest } from '../results/freshness.js';
import { detailedLinkResult, linkResult } from '../results/link-result.js';
import { cursor, id, limit, linkId } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';

const list = defineTool({
  name: 'list_links',
  description: 'List the links, the connections of users to their banks, oldest first.',
  scope: 'links:read',
  input: z.strictObject({
    state: z.enum(['connected', 'error']).optional(),
    user_id: id.optional().describe('The untrusted_user_id of a link.'),
    institution_id: id.optional(),
    limit,
    cursor,
  }),
  async run({ user_id: user, ...query }, { tributary, options }) {
    const { items, next } = await tributary.links.list({ user, ...query }, options).page();
    const links = items.map(linkResult);
    return { ...oldest(links), links, next_cursor: next };
  },
});

const get = defineTool({
  name: 'get_link',
  description: 'Show a link with its state and how old each of its products is.',
  scope: 'links:read',
  input: z.strictObject({ link_id: linkId }),
  async run({ link_id: link }, { tributary, options }) {
    return detailedLinkResult(await tributary.links.get(link, options));
  },
});

const explain = defineTool({
  name: 'explain_link',
  description:
    'Explain why a link or one of its products does not work, and who can do what about it.',
  scope: 'links:read',
  input: z.strictObject({ link_id: linkId }),
  async run({ link_id: id }, { tributary, options }) {
    const link = await tributary.links.get(id, options);
    return { ...explanationOf(link), ...detailedLinkResult(link) };
  },
});

export const linkTools = [list, get, explain];

interface Explanation {
  works: boolean;
  explanation: string;
  /** The party that can repair it; null when nothing is broken. */
  repaired_by: 'account owner' | 'time' | null;
  next_step: string | null;
}

const RELINK =
  'The app creates a link session with existing_link_id, and the account owner signs in at the bank.';
const WAIT = `Wait: refreshes are repeated by schedule. If it lasts, ${RELINK.replace(/^The/, 'the')}`;

/** Source: docs/link-lifecycle.md. */
const ERRORS: Readonly<Record<string, Explanation>> = {
  auth_expired: broken(
    'The bank wants its customer to sign in again. Stored data stays readable and gets older.',
    'account owner',
    RELINK,
  ),
  user_error: broken(
    'The user left before the bank accepted the login, or the bank refused the login.',
    'account owner',
    RELINK,
  ),
  incomplete: broken(
    'The user left after the login and before the end of linking.',
    'account owner',
    RELINK,
  ),
  institution_error: broken('The bank fails.', 'time', WAIT),
  provider_error: broken(
    'The data provider between this service and the bank fails.',
    'time',
    WAIT,
  ),
  system_error: broken('This service fails for the link.', 'time', WAIT),
} satisfies Record<LinkErrorInput, Explanation>;

function broken(
  explanation: string,
  repairedBy: Explanation['repaired_by'],
  nextStep: string,
): Explanation {
  return { works: false, explanation, repaired_by: repairedBy, next_step: nextStep };
}

function explanationOf({ error_code: code, products }: Link): Explanation {
  if (code !== null)
    return ERRORS[code] ?? broken(`The link fails with the error ${code}.`, 'time', WAIT);
  const stale = Object.entries(products).filter(([, { stale: isStale }]) => isStale);
  if (stale.length > 0) {
    const names = stale.map(([name]) => name).join(', ');
    return {
      works: false,
      explanation: `The link is connected, and some of its products are stale: ${names}.`,
      repaired_by: null,
      next_step: 'See the remedy of each stale product.',
    };
  }
  return {
    works: true,
    explanation: 'The link is connected, and all its products are current.',
    repaired_by: null,
    next_step: null,
  };
}
