import { setTimeout as pause } from 'node:timers/promises';
import type { LinkSessionInFull, LinkSessionsCreateRequest, Tributary } from '@tributary/node';
import { renderUnicodeCompact } from 'uqr';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { several } from '../option-values.js';

const LOOK_AGAIN_MS = 2_000;

interface CreateOptions {
  hosted?: boolean;
  user?: string;
  repair?: string;
  institution?: string;
  products?: string[];
  webhook?: string;
  wait: boolean;
}

/** Links a bank at a page of the service, which the person opens by its address or its QR code. */
export const CREATE_LINK: CliCommand = {
  name: 'links create',
  help: 'print the address of a page at which a person links a bank, and wait for the outcome',
  examples: [
    'links create --hosted --user user-4711',
    'links create --hosted --repair LINK_ID --no-wait',
  ],
  arguments: (command) =>
    command
      .option('--hosted', 'at a page of the service; required, as there is no other way yet')
      .option('--user <id>', 'your id of the person, customer_user.id')
      .option('--repair <link_id>', 'repair or extend this link')
      .option('--institution <id>', 'start at this bank')
      .option(
        '--products <names>',
        'of accounts, transactions, identity, account_numbers, investments, liabilities',
        several,
        undefined,
      )
      .option('--webhook <url>', 'address of the webhooks of the link')
      .option('--no-wait', 'print the address and exit'),
  run: async (context, options: CreateOptions) => {
    const { output } = context;
    if (options.hosted !== true)
      throw new CommandFailure(
        'There is only one way to create a link from a terminal.',
        'Pass --hosted.',
      );
    const client = await context.client();
    const session = await client.linkSessions.create(await requestOf(client, options));
    const { session_id: id, hosted_url: address, expires_at } = session;
    const shown = { session_id: id, hosted_url: address, expires_at };
    if (address === null) throw new Error('the service returned no address');
    output.row(shown, () => `${qrCode(context, address)}${address}\n`);
    if (!options.wait) return EXIT.done;
    output.note('Waiting for the user to finish; press Ctrl+C to stop waiting.');
    return finish(context, client, id);
  },
};

async function requestOf(
  client: Tributary,
  { user, repair, institution, products, webhook }: CreateOptions,
): Promise<LinkSessionsCreateRequest> {
  if (user === undefined && repair === undefined)
    throw new CommandFailure('No user given.', 'Pass --user or --repair.');
  const owner = user ?? (await client.links.get(repair ?? '')).customer_user_id;
  return {
    customer_user: { id: owner },
    hosted: {},
    ...(repair === undefined ? {} : { existing_link_id: repair }),
    ...(institution === undefined ? {} : { institution_id: institution }),
    ...(products === undefined ? {} : { settings: { products: products as never } }),
    ...(webhook === undefined ? {} : { webhook }),
  };
}

/** Only for eyes: a QR code in a file or a pipe helps no one. */
function qrCode({ output, prompts }: CommandContext, address: string): string {
  return prompts.isInteractive && !output.isJson ? `${renderUnicodeCompact(address)}\n\n` : '';
}

async function finish(
  { output, stop }: CommandContext,
  client: Tributary,
  sessionId: string,
): Promise<ExitCode> {
  for (;;) {
    const session = await client.linkSessions.get(sessionId);
    // The same address may still be used after `exited`.
    if (session.state === 'succeeded' || session.state === 'ended') {
      const linkId = await exchanged(client, session);
      const { outcome } = session;
      output.row({ session_id: sessionId, outcome, link_id: linkId }, () =>
        outcomeText(session, linkId),
      );
      return session.state === 'succeeded' ? EXIT.done : EXIT.failed;
    }
    await pause(LOOK_AGAIN_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) {
      output.note('The session stays open; find it with `tributary links list`.');
      return EXIT.done;
    }
  }
}

async function exchanged(client: Tributary, session: LinkSessionInFull): Promise<string | null> {
  if (session.exchangeable_token === null) return session.link_id;
  const { link_id: linkId } = await client.linkSessions.exchangeToken({
    exchangeable_token: session.exchangeable_token,
    expected_customer_user_id: session.customer_user.id,
  });
  return linkId;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  linked: 'The bank is linked',
  relinked: 'The link is repaired',
  exited: 'The person left without linking a bank',
  expired: 'The session expired',
  superseded: 'A newer session for the link replaced it',
  canceled: 'The session was canceled',
};

function outcomeText({ outcome }: LinkSessionInFull, linkId: string | null): string {
  const text = OUTCOMES[outcome ?? ''] ?? 'The session ended';
  return linkId === null ? `${text}.` : `${text}: ${linkId}`;
}
