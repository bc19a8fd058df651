import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { oneOf, wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import type { OperatorCommand } from '../../operator-command.js';
import { disablePair, enablePair } from '../../operations/pairs/disable-pair.js';
import { PAIR_COMMANDS } from './pair-commands.js';
import { SECRET_COMMANDS } from './secret-commands.js';
import { reasonOption } from '../../reason-option.js';
import { RecordedOption } from '../../recorded-option.js';

const DISABLE: OperatorCommand = {
  name: 'clients disable',
  help: 'disable a key pair and end all its tokens immediately',
  examples: [
    'clients disable CLIENT_ID --simplefin',
    'clients disable CLIENT_ID --reason "its secret was in a log"',
  ],
  recorded: true,
  arguments: (command) =>
    command
      .argument('<client_id>')
      .addOption(
        new RecordedOption('--simplefin', 'also revoke the SimpleFIN tokens that it created'),
      )
      .addOption(reasonOption()),
  run: async (service, clientId: string, options: { simplefin?: boolean }) => {
    const simplefin = options.simplefin === true;
    const disabled = await disablePair(service, clientId, { simplefin });
    const { revokedTokens: revoked, continuingTokens: left } = disabled;
    const since = disabled.disabledAt?.toISOString() ?? null;
    service.output.value(
      {
        client_id: clientId,
        disabled_at: since,
        simplefin_tokens_revoked: revoked,
        simplefin_tokens_left: left,
      },
      () => {
        const sentences = [`${clientId} is disabled since ${since}.`];
        if (simplefin) sentences.push(`SimpleFIN tokens that it created: ${revoked} revoked.`);
        else if (left > 0)
          sentences.push(
            `SimpleFIN tokens that it created and that continue: ${left}; clients disable --simplefin revokes them.`,
          );
        return sentences.join(' ');
      },
    );
  },
};

const ENABLE: OperatorCommand = {
  name: 'clients enable',
  help: 'enable a disabled key pair',
  examples: ['clients enable CLIENT_ID'],
  recorded: true,
  arguments: (command) => command.argument('<client_id>'),
  run: async (service, clientId: string) => {
    const { endsAt } = await enablePair(service, clientId);
    service.output.value(
      { client_id: clientId, disabled_at: null },
      () => `${clientId} is enabled.${endOf(endsAt)}`,
    );
  },
};

/** The end of a key pair, which `clients enable` leaves as it is. */
function endOf(endsAt: Date | null): string {
  if (endsAt === null) return '';
  const isOver = endsAt.getTime() <= Date.now();
  return ` It ${isOver ? 'ended' : 'ends'} at ${endsAt.toISOString()}; clients restrict --never-ends lifts that.`;
}

export const CLIENT_COMMANDS: readonly OperatorCommand[] = [
  ...PAIR_COMMANDS,
  DISABLE,
  ENABLE,
  {
    name: 'clients limit',
    help: 'set the maximum number of Live links of a key pair; a lower limit deletes no links',
    examples: ['clients limit CLIENT_ID 500'],
    recorded: true,
    arguments: (command) =>
      command.argument('<client_id>').argument('<number>', 'links', wholeNumber),
    run: async ({ applications, output }, clientId: string, limit: number) => {
      const changed = await applications.setLiveLimit(clientId, limit);
      if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
      output.value(
        { client_id: changed.clientId, live_limit: changed.liveLimit },
        () => `${clientId} may have ${changed.liveLimit} Live links.`,
      );
    },
  },
  {
    name: 'clients unoffered',
    help: 'set whether products that only Plaid offers are ignored or rejected when a Sandbox key pair requests them with others',
    examples: ['clients unoffered CLIENT_ID rejected'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<client_id>')
        .argument('<ignored|rejected>', 'how to handle them', oneOf('ignored', 'rejected')),
    run: async ({ applications, output }, clientId: string, fate: 'ignored' | 'rejected') => {
      const changed = await applications.setIgnoresUnoffered(clientId, fate === 'ignored');
      if (changed === null) throw new CommandFailure(`There is no client ${clientId}.`);
      // plaid-compat 3.2: Live never ignores unoffered products.
      if (changed.environment === 'live')
        throw new CommandFailure('Live key pairs always reject them.');
      output.value(
        { client_id: clientId, ignores_unoffered_products: changed.ignoresUnofferedProducts },
        () => `Products that only Plaid offers are ${fate} for ${clientId}.`,
      );
    },
  },
  ...SECRET_COMMANDS,
];
