import { randomUUID } from 'node:crypto';
import type { Tributary } from '@tributary/node';
import type { CliCommand } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';

/** Causes an event of a link. @returns what was done, in words */
type Cause = (client: Tributary, linkId: string) => Promise<string>;

const CAUSES: Readonly<Record<string, Cause>> = {
  'link.state_changed': async ({ sandbox }, linkId) => {
    await sandbox.expireAuth(linkId, { mode: 'now' });
    return 'The bank ended its permission: the link needs its owner now.';
  },
  'link.product_refresh': async ({ links }, linkId) => {
    await links.refreshProducts(linkId, { products: ['accounts'] });
    return 'Requested fresh accounts from the bank.';
  },
  'transactions.updates_available': async ({ sandbox }, linkId) => {
    const ref = `trigger-${randomUUID().slice(0, 8)}`;
    const step = { verb: 'post', ref, amount: 4.5, description: 'Corner Cafe' } as const;
    await sandbox.runScript(linkId, { script: [step] });
    return 'A transaction of 4.50 happened at the bank and was fetched.';
  },
  // The banks end permissions in months; the event itself is what can be had now.
  'link.permission_expiring': async ({ webhooks }, linkId) => {
    await webhooks.sendTestEvent(linkId, {
      webhook_event: 'link.permission_expiring',
      webhook_idempotency_key: randomUUID(),
    });
    return 'Sent a test event to the address of the link.';
  },
};
const NAMES = Object.keys(CAUSES);

export const TRIGGER: CliCommand = {
  name: 'trigger',
  help: `cause an event at a sandbox bank: ${NAMES.join(', ')}`,
  examples: ['trigger transactions.updates_available', 'trigger link.state_changed --link LINK_ID'],
  arguments: (command) =>
    command.argument('<event>').option('--link <link_id>', 'link to use; creates one by default'),
  run: async (context, event: string, { link }: { link?: string }) => {
    const cause = Object.hasOwn(CAUSES, event) ? CAUSES[event] : undefined;
    if (cause === undefined)
      throw new CommandFailure(
        event === 'link_session.finished'
          ? 'The event link_session.finished needs a person.'
          : `There is no event ${JSON.stringify(event)} to cause.`,
        event === 'link_session.finished'
          ? 'Run `tributary links create --hosted --user ID`, and finish or leave at the page.'
          : `Choose one of ${NAMES.join(', ')}.`,
      );
    const client = await context.client();
    const linkId = link ?? (await newLink(client));
    if (link === undefined) context.output.note(`Created the link ${linkId}.`);
    const done = await cause(client, linkId);
    context.output.value({ event, link_id: linkId, done }, () => `${linkId}: ${done}`);
  },
};

async function newLink({ sandbox }: Tributary): Promise<string> {
  const { link_id: linkId } = await sandbox.createLink({
    customer_user: { id: `cli-${randomUUID()}` },
  });
  return linkId;
}
