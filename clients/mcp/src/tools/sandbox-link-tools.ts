import type { SandboxRunScriptRequest } from '@tributary/node';
import { z } from 'zod';
import { detailedLinkResult } from '../results/link-result.js';
import { day, id, linkId, MAX_ROWS } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';

const scope = 'sandbox:write';

const step = z.strictObject({
  verb: z.enum(['authorize', 'post', 'amend', 'reverse', 'drop', 'backdate']),
  ref: z.string().max(100).describe('A name of your own for the row, in all its steps.'),
  amount: z.number().optional(),
  date: day.optional(),
  description: z.string().max(500).optional(),
  category: z.string().max(100).optional(),
  type: z.enum(['debit', 'credit']).optional(),
  account_id: id.optional(),
});

export const sandboxLinkTools = [
  defineTool({
    name: 'create_link',
    description: 'Link accounts at a sandbox bank, without a user interface.',
    scope,
    writes: true,
    input: z.strictObject({
      user_id: id,
      institution_id: id.optional().describe('By default sandbox-credentials-bank.'),
      username: z.string().max(100).optional().describe('A magic user name, such as locked.'),
      world_id: id.optional(),
    }),
    async run({ user_id: user, ...body }, { tributary, options }) {
      const { link } = await tributary.sandbox.createLink(
        { ...body, customer_user: { id: user } },
        options,
      );
      return detailedLinkResult(link);
    },
  }),
  defineTool({
    name: 'run_script',
    description:
      'Let transactions happen at the sandbox bank of a link, all or none, and fetch them.',
    scope,
    writes: true,
    input: z.strictObject({ link_id: linkId, script: z.array(step).min(1).max(MAX_ROWS) }),
    // The service checks which fields a verb takes.
    run: ({ link_id: link, script }, { tributary, options }) =>
      tributary.sandbox.runScript(link, { script } as SandboxRunScriptRequest, options),
  }),
  defineTool({
    name: 'expire_permission',
    description:
      'End the permission of a link at its sandbox bank, so that its owner has to sign in again.',
    scope,
    writes: true,
    input: z.strictObject({ link_id: linkId, mode: z.enum(['next_fetch', 'now']).optional() }),
    async run({ link_id: link, ...body }, { tributary, options }) {
      return detailedLinkResult(await tributary.sandbox.expireAuth(link, body, options));
    },
  }),
];
