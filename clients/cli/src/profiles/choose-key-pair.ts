import { CommandFailure } from '../../../terminal/src/command-failure.js';
import { EXIT } from '../exit-codes.js';
import type { ProfileFile } from './profile-file.js';

/** The service and the key pair of a command. */
export interface ChosenKeyPair {
  /** Null: from the environment. */
  profile: string | null;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

const VARIABLES = ['TRIBUTARY_URL', 'CLIENT_ID', 'CLIENT_SECRET'] as const;

/**
 * In this order: `--profile`, TRIBUTARY_PROFILE, the key pair of the environment, the current
 * profile.
 */
export async function chooseKeyPair(
  file: ProfileFile,
  env: NodeJS.ProcessEnv,
  named: string | undefined,
): Promise<ChosenKeyPair> {
  const name = named ?? (env['TRIBUTARY_PROFILE'] || undefined);
  if (name === undefined && (env['CLIENT_ID'] || env['CLIENT_SECRET'])) return ofEnvironment(env);
  const { current, byName } = await file.read();
  const chosen = name ?? current;
  if (chosen === null)
    throw new CommandFailure(
      'You are not logged in.',
      `Run \`tributary login\`, or set ${VARIABLES.join(', ')}.`,
      EXIT.refused,
    );
  const profile = Object.hasOwn(byName, chosen) ? byName[chosen] : undefined;
  if (profile === undefined)
    throw new CommandFailure(
      `There is no profile ${JSON.stringify(chosen)}.`,
      'List the profiles with `tributary profiles list`, or create it with `tributary login --profile NAME`.',
    );
  const { baseUrl, clientId, clientSecret } = profile;
  return { profile: chosen, baseUrl, clientId, clientSecret };
}

function ofEnvironment(env: NodeJS.ProcessEnv): ChosenKeyPair {
  const [baseUrl, clientId, clientSecret] = VARIABLES.map((name) => env[name] || undefined);
  const missing = VARIABLES.filter((name) => !env[name]);
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined)
    throw new CommandFailure(
      `A part of the key pair is in the environment, and ${missing.join(' and ')} is missing.`,
      `Set all of ${VARIABLES.join(', ')}, or none and use a profile.`,
    );
  return { profile: null, baseUrl, clientId, clientSecret };
}
