import { label, overlap } from '../../option-parsers.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { endSecret, rotateSecret } from '../../operations/pairs/change-secrets.js';
import { unknownPair } from '../../operations/pairs/create-pair.js';
import { presentSecret } from '../../operations/pairs/present-pair.js';
import { RecordedOption } from '../../recorded-option.js';

interface RotateOptions {
  overlap?: number;
  label?: string;
}

interface EndOptions {
  tokens?: boolean;
}

/** The secrets of a key pair. */
export const SECRET_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'clients rotate',
    help: 'give a key pair a new secret, which is shown only once; the others end now, or after the overlap',
    examples: ['clients rotate CLIENT_ID --overlap 24h'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<client_id>')
        .option(
          '--overlap <duration>',
          'time for which the other secrets continue to work, at most 365d',
          overlap,
        )
        .addOption(
          new RecordedOption('--label <label>', 'name of the new secret in lists').argParser(label),
        ),
    run: async (service, clientId: string, options: RotateOptions) => {
      const { secret, clientSecret, othersEndAt } = await rotateSecret(service, clientId, {
        label: options.label ?? null,
        overlapMs: options.overlap ?? 0,
      });
      const until = othersEndAt?.toISOString() ?? null;
      service.output.value(
        {
          client_id: clientId,
          client_secret: clientSecret,
          secret_id: secret.secretId,
          label: secret.label,
          others_end_at: until,
        },
        () =>
          [
            sheet({
              'client id': clientId,
              'client secret': clientSecret,
              'secret id': secret.secretId,
            }),
            '',
            `Keep the secret: it is stored only as a hash. ${until === null ? 'The other secrets do not work any more.' : `The other secrets work until ${until}.`} Tokens that were issued for them work until they expire.`,
          ].join('\n'),
      );
    },
  },
  {
    name: 'clients secrets',
    help: 'list the secrets of a key pair, newest first, with the minute of their last use; ended ones are listed for 90 days',
    examples: ['clients secrets CLIENT_ID'],
    recorded: false,
    arguments: (command) => command.argument('<client_id>'),
    run: async ({ clientSecrets, output }, clientId: string) => {
      const secrets = await clientSecrets.list(clientId);
      if (secrets === null) throw unknownPair(clientId);
      const rows = secrets.map(presentSecret);
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'clients end-secret',
    help: 'end one secret of a key pair immediately, but not the only one that works',
    examples: ['clients end-secret CLIENT_ID SECRET_ID --tokens'],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<client_id>')
        .argument('<secret_id>', 'sec_…, as clients secrets lists it')
        .addOption(new RecordedOption('--tokens', 'also end the tokens that were issued for it')),
    run: async (service, clientId: string, secretId: string, options: EndOptions) => {
      const tokensToo = options.tokens === true;
      const shown = presentSecret(await endSecret(service, clientId, secretId, { tokensToo }));
      service.output.value(
        shown,
        () =>
          `${secretId} does not work any more. Tokens that were issued for it ${shown.tokens_ended_at === null ? 'work until they expire' : 'do not work either'}.`,
      );
    },
  },
];
