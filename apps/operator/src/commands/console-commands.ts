import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { oneOf } from '../../../../clients/terminal/src/option-values.js';
import { table } from '../../../../clients/terminal/src/table.js';
import { ConsoleCodeRepository } from '../../../../prisma/operations/console/console-code.repository.js';
import { ConsoleSessionRepository } from '../../../../prisma/operations/console/console-session.repository.js';
import type { OperatorCommand } from '../operator-command.js';
import { RecordedOption } from '../recorded-option.js';

interface SignInOptions {
  role: 'operator' | 'app';
  app?: string;
  readOnly?: boolean;
  label: string;
}

const MAX_LABEL = 60;

export const CONSOLE_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'console sign-in',
    help: 'make a link that signs one browser in to the console, once, within ten minutes',
    examples: [
      'console sign-in --label ada',
      'console sign-in --role app --app pocket-ledger --read-only --label support',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .addOption(
          new RecordedOption('--role <role>', 'operator: the instance; app: one app')
            .argParser(oneOf('operator', 'app'))
            .default('operator'),
        )
        .addOption(new RecordedOption('--app <app_id>', 'the app of role app'))
        .addOption(new RecordedOption('--read-only', 'it may change nothing'))
        .addOption(
          new RecordedOption('--label <name>', 'the person, in the record of operators').default(
            'operator',
          ),
        ),
    check: ({ role, app, label }: SignInOptions) => {
      if ((role === 'app') !== (app !== undefined))
        throw new CommandFailure('--role app goes with --app, and --app with no other role.');
      if (label === '' || label.length > MAX_LABEL)
        throw new CommandFailure(`--label has 1 to ${MAX_LABEL} characters.`);
    },
    run: async ({ context, applications, settings, output }, options: SignInOptions) => {
      const { role, app: appId = null, readOnly: isReadOnly = false, label } = options;
      if (appId !== null && (await applications.getApplication(appId)) === null)
        throw new CommandFailure(`There is no app ${appId}.`);
      const code = await new ConsoleCodeRepository(context).create({
        role,
        appId,
        isReadOnly,
        label,
      });
      const url = `${settings.consoleBaseUrl.replace(/\/$/, '')}/sign-in#code=${code}`;
      output.value({ url }, () => url);
    },
  },
  {
    name: 'console sessions',
    help: 'list who is signed in to the console',
    examples: ['console sessions'],
    recorded: false,
    run: async ({ context, output }) => {
      const rows = (await new ConsoleSessionRepository(context).list()).map((session) => ({
        session_id: session.sessionId,
        person: session.actor,
        roles: session.grants
          .map(({ role, appId, isReadOnly }) =>
            [appId ?? role, ...(isReadOnly ? ['read'] : [])].join(':'),
          )
          .join(' '),
        signed_in_at: session.signedInAt.toISOString(),
        ends_at: session.endsAt.toISOString(),
      }));
      output.value(rows, () => (rows.length === 0 ? 'No one is signed in.' : table(rows)));
    },
  },
  {
    name: 'console sign-out',
    help: 'end the console sessions of a person at once',
    examples: ['console sign-out --person link:ada'],
    recorded: true,
    arguments: (command) =>
      command.addOption(
        new RecordedOption(
          '--person <name>',
          'as `console sessions` names them',
        ).makeOptionMandatory(),
      ),
    run: async ({ context, output }, { person }: { person: string }) => {
      const ended = await new ConsoleSessionRepository(context).end({ actor: person });
      output.value({ ended }, () => `Sessions ended: ${ended}.`);
    },
  },
];
