import { PermissionDeniedError, type Tributary } from '@tributary/node';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { DeliveryStream } from '../listening/delivery-stream.js';
import { findReceiver } from '../listening/find-receiver.js';
import { Forwarder, type ForwardedDelivery } from '../listening/forwarder.js';
import { onKeys } from '../listening/on-keys.js';
import { httpAddress, moment, several } from '../option-values.js';
import { printable } from '../../../terminal/src/printable.js';

interface ListenOptions {
  forwardTo: URL;
  events?: string[];
  link?: string;
  since?: string;
}

export const LISTEN: CliCommand = {
  name: 'listen',
  help: 'receive webhooks without an address, and forward each to a receiver on this computer',
  examples: [
    'listen --forward-to localhost:3000/hook',
    'listen --forward-to localhost:3000/hook --events link.state_changed --since 10m',
  ],
  arguments: (command) =>
    command
      .requiredOption(
        '--forward-to <url>',
        'address of the receiver, such as localhost:3000/hook',
        httpAddress,
      )
      .option('--events <names>', 'only these, separated by commas', several, undefined)
      .option('--link <link_id>', 'only of this link')
      .option('--since <time>', 'start at this time: 10m, or a timestamp; now by default', moment),
  run: async (context: CommandContext, options: ListenOptions) => {
    const client = await context.client();
    try {
      return await listen(context, client, options);
    } catch (error) {
      throw error instanceof PermissionDeniedError && error.code === 'api_error.sandbox_only'
        ? await refusalInLive(error, client)
        : error;
    }
  },
};

async function listen(
  context: CommandContext,
  client: Tributary,
  options: ListenOptions,
): Promise<ExitCode> {
  const { output, stop } = context;
  const { forwardTo, events, link, since } = options;
  const stream = new DeliveryStream(client.webhooks, {
    filter: {
      ...(events === undefined ? {} : { webhook_events: events }),
      ...(link === undefined ? {} : { link_id: link }),
      ...(since === undefined ? {} : { since }),
    },
    stop,
    onLost: () => output.note('Lost the connection to the service; retrying …'),
    onFound: () => output.note('Reconnected. Nothing was missed.'),
  });
  await stream.start();
  if (!(await findReceiver(forwardTo)))
    output.note(`Nothing listens at ${forwardTo.href} yet: start your receiver.`);
  output.note(`Listening. Webhooks go to ${forwardTo.href} as well. ${HINTS(context)}`);
  const forwarder = new Forwarder({
    target: forwardTo,
    report: (delivery, outcome) => stream.report(delivery, outcome),
    onForwarded: (forwarded) => print(context, forwarded),
  });
  const keys = onKeys(context, {
    r: async () => {
      const again = await stream.lastAgain();
      if (again === null) output.note('There is nothing to replay yet.');
      else forwarder.forward(again);
    },
  });
  try {
    for await (const delivery of stream.deliveries()) await forwarder.forwardInTurn(delivery);
  } finally {
    keys.close();
    const left = await forwarder.settled();
    stream.close();
    if (left > 0) output.note(`${left} responses were not reported to the service.`);
  }
  output.note('Stopped listening.');
  if (!stop.aborted)
    throw new CommandFailure(
      'The service closed the connection.',
      'Run the command again.',
      EXIT.unavailable,
    );
  return EXIT.done;
}

/** The operator may allow it later, and may withdraw it while the command runs. */
async function refusalInLive(
  { message, code }: PermissionDeniedError,
  client: Tributary,
): Promise<CommandFailure> {
  const { app } = await client.tokens.introspect();
  return new CommandFailure(
    message,
    `Listen with a Sandbox key pair, or ask the operator of the service to allow it: npm run -s operator -- apps update ${app.app_id} --live-listening on`,
    EXIT.refused,
    code,
  );
}

const HINTS = ({ prompts }: CommandContext): string =>
  prompts.isInteractive ? 'r replays the last one, Ctrl+C ends.' : 'Ctrl+C ends.';

function print({ output }: CommandContext, { delivery, outcome, at }: ForwardedDelivery): void {
  const { http_status: status, error, duration_ms: ms } = outcome;
  const { event_id, webhook_event, link_id, delivery_token, attempt } = delivery;
  const line = { at: at.toISOString(), event_id, webhook_event, link_id, delivery_token, attempt };
  output.row({ ...line, http_status: status, error, duration_ms: ms }, () => {
    const isGood = status !== null && status >= 200 && status < 300;
    const result = (isGood ? output.colors.good : output.colors.bad)(String(status ?? error));
    const time = at.toTimeString().slice(0, 8);
    return `${output.colors.faint(time)}  ${printable(webhook_event)}  ${printable(link_id)}  ${result}  ${ms} ms`;
  });
}
