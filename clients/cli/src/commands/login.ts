import { Tributary } from '@tributary/node';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { readLine } from '../read-input.js';

const LOCAL = 'http://127.0.0.1:4000';

interface LoginOptions {
  url?: string;
  clientId?: string;
}

export const LOGIN: CliCommand = {
  name: 'login',
  help: 'store a key pair as a profile; the secret is asked for, or read from standard input',
  examples: ['login', 'login --profile live --url https://bank.example --client-id CLIENT_ID'],
  arguments: (command) =>
    command
      .option('--url <address>', 'address of the service')
      .option('--client-id <id>', 'client id of the key pair'),
  run: async (context, { url, clientId }: LoginOptions) => {
    const { prompts, profiles, output, profileName } = context;
    if (!prompts.isInteractive && (url === undefined || clientId === undefined))
      throw new CommandFailure(
        'Input is needed, but this is not a terminal.',
        'Pass --url and --client-id, and the secret on standard input.',
      );
    const pair = {
      baseUrl: url ?? (await prompts.text('Address of the service', '--url', LOCAL)),
      clientId: (clientId ?? (await prompts.text('Client id', '--client-id'))).trim(),
      clientSecret: await secretOf(context),
    };
    const { app, environment } = await new Tributary(pair).tokens.introspect();
    const name = profileName ?? 'default';
    const known = await profiles.read();
    const profile = {
      ...pair,
      baseUrl: pair.baseUrl.replace(/\/$/, ''),
      appId: app.app_id,
      environment,
    };
    await profiles.write({ current: name, byName: { ...known.byName, [name]: profile } });
    const shown = { profile: name, base_url: profile.baseUrl, app_id: app.app_id, environment };
    output.value(
      shown,
      () =>
        `Logged in to ${app.name} (${environment}) at ${profile.baseUrl}, as profile ${name}.\nThe key pair is in ${profiles.path}.`,
    );
  },
};

async function secretOf({ prompts, stdin }: CommandContext): Promise<string> {
  if (prompts.isInteractive) return prompts.secret('Client secret', 'it on standard input');
  const secret = stdin.isTTY ? '' : await readLine(stdin);
  if (secret === '')
    throw new CommandFailure(
      'The secret is missing.',
      'Write it to standard input, for example `tributary login … < secret.txt`.',
    );
  return secret;
}
