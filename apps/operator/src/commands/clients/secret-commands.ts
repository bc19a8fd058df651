import {
  MAX_SECRETS,
  type SecretRecord,
} from '../../../../../prisma/tenants/applications/client-secret.repository.js';
import { hashClientSecret } from '../../../../../prisma/tenants/applications/client-secret.js';
import { makeClientSecret } from '../../../../../prisma/tenants/applications/key-pair.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { label, overlap } from '../../option-parsers.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
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
    run: async ({ clientSecrets, output }, clientId: string, options: RotateOptions) => {
      const clientSecret = makeClientSecret();
      const outcome = await clientSecrets.rotate(clientId, {
        secretHash: hashClientSecret(clientSecret),
        label: options.label ?? null,
        overlapMs: options.overlap ?? 0,
      });
      if (outcome.kind === 'unknown_client') throw unknownClient(clientId);
      if (outcome.kind === 'too_many')
        throw new CommandFailure(
          `${clientId} has ${MAX_SECRETS} secrets that work, and may not have more. End one with clients end-secret, or rotate without an overlap.`,
        );
      const { secret, othersEndAt } = outcome;
      const until = othersEndAt?.toISOString() ?? null;
      output.value(
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
      if (secrets === null) throw unknownClient(clientId);
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
    run: async (
      { clientSecrets, output },
      clientId: string,
      secretId: string,
      options: EndOptions,
    ) => {
      const tokensToo = options.tokens === true;
      const outcome = await clientSecrets.end(clientId, secretId, { tokensToo });
      if (outcome.kind === 'unknown')
        throw new CommandFailure(`There is no secret ${secretId} of a client ${clientId}.`);
      if (outcome.kind === 'only_one')
        throw new CommandFailure(
          `${secretId} is the only secret of ${clientId} that works. Replace it with clients rotate, or disable the key pair with clients disable.`,
        );
      const shown = presentSecret(outcome.secret);
      output.value(
        shown,
        () =>
          `${secretId} does not work any more. Tokens that were issued for it ${shown.tokens_ended_at === null ? 'work until they expire' : 'do not work either'}.`,
      );
    },
  },
];

function unknownClient(clientId: string): CommandFailure {
  return new CommandFailure(`There is no client ${clientId}.`);
}

function presentSecret(secret: SecretRecord) {
  return {
    secret_id: secret.secretId,
    label: secret.label,
    created_at: secret.createdAt.toISOString(),
    ends_at: secret.endsAt?.toISOString() ?? null,
    tokens_ended_at: secret.tokensEndedAt?.toISOString() ?? null,
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}
