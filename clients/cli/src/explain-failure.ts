import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  LinkNeedsOwnerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  ServiceConnectionError,
  ServiceUnavailableError,
  UnexpectedResponseError,
  ValidationError,
  WebhookVerificationError,
} from '@tributary/node';
import { CommandFailure } from '../../terminal/src/command-failure.js';
import type { Explanation } from '../../terminal/src/program.js';
import { EXIT } from './exit-codes.js';

type Kind = new (...args: never[]) => Error;
type Explain = (error: never) => Pick<Explanation, 'next' | 'exitCode'>;

/** The first match counts, so subclasses come before their class. */
const FAMILIES: readonly (readonly [Kind, Explain])[] = [
  [ConfigurationError, () => ({ next: 'Correct the value and try again.', exitCode: EXIT.usage })],
  [
    ServiceConnectionError,
    () => ({
      next: 'Check the address and the network. `tributary doctor` examines both.',
      exitCode: EXIT.unavailable,
    }),
  ],
  [
    UnexpectedResponseError,
    () => ({ next: 'Check the address of the service.', exitCode: EXIT.unavailable }),
  ],
  [
    AuthenticationError,
    () => ({
      next: 'Check the key pair and its scopes with `tributary whoami`. Log in again with `tributary login`.',
      exitCode: EXIT.refused,
    }),
  ],
  [
    PermissionDeniedError,
    () => ({
      next: 'Use a key pair of the right environment, or ask the operator of the service.',
      exitCode: EXIT.refused,
    }),
  ],
  [
    NotFoundError,
    () => ({
      next: 'Check the id. `tributary whoami` shows the environment of the key pair.',
      exitCode: EXIT.notFound,
    }),
  ],
  [
    LinkNeedsOwnerError,
    () => ({
      next: 'Let the account owner sign in: `tributary links create --hosted --repair LINK_ID`.',
      exitCode: EXIT.rejected,
    }),
  ],
  [
    RateLimitError,
    ({ retryAfter }: RateLimitError) => ({
      next: retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} seconds.`,
      exitCode: EXIT.rejected,
    }),
  ],
  [ServiceUnavailableError, () => ({ next: 'Try again in a moment.', exitCode: EXIT.unavailable })],
  [
    ServerError,
    () => ({
      next: 'Report the request id to the operator of the service.',
      exitCode: EXIT.unavailable,
    }),
  ],
  [
    ValidationError,
    ({ issues }: ValidationError) => ({
      next:
        issues.length === 0
          ? 'Correct the request and try again.'
          : issues.map(({ location, message }) => `${location.join('.')}: ${message}`).join('\n'),
      exitCode: EXIT.rejected,
    }),
  ],
  [
    ApiError,
    () => ({
      next: 'Look the code up in the API reference of the service, at its path /docs.',
      exitCode: EXIT.rejected,
    }),
  ],
  [
    WebhookVerificationError,
    () => ({ next: 'Discard the request, and respond with 400.', exitCode: EXIT.failed }),
  ],
  [CommandFailure, ({ next, exitCode = EXIT.usage }: CommandFailure) => ({ next, exitCode })],
];

/**
 * The cause in one sentence and what to do next; never a stack trace.
 * @param command the one that failed, which no remedy names; missing = none
 */
export function explainFailure(error: unknown, command?: string): Explanation {
  const cause = error instanceof Error ? error.message : String(error);
  const family = FAMILIES.find(([kind]) => error instanceof kind);
  if (family === undefined)
    return {
      cause: `Something unexpected happened: ${cause.split('\n')[0]}`,
      next: 'Please report it with the command that you typed.',
      exitCode: EXIT.failed,
    };
  const { code } = error instanceof ApiError || error instanceof CommandFailure ? error : {};
  const { next, exitCode } = family[1](error as never);
  const remedy = next === undefined ? undefined : withoutCommand(next, command);
  return {
    cause,
    ...(remedy === undefined ? {} : { next: remedy }),
    exitCode,
    ...(code === undefined ? {} : { code }),
  };
}

/** Without the sentences that name the command. */
function withoutCommand(text: string, command: string | undefined): string | undefined {
  const sentences = text.split(/(?<=\.) /);
  const others = sentences.filter(
    (sentence) => command === undefined || !sentence.includes(`\`tributary ${command}\``),
  );
  return others.length === 0 ? undefined : others.join(' ');
}
