import {
  AuthenticationError,
  ConfigurationError,
  LinkNeedsOwnerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServiceConnectionError,
  ServiceUnavailableError,
  TributaryError,
  UnexpectedResponseError,
  ValidationError,
} from '@tributary/node';

/** A call or a start that is refused here. Its message says the cause and what to do next. */
export class Refusal extends Error {}

type Kind = new (...args: never[]) => Error;

/** Next steps. The first match counts, so subclasses come before their class. */
const REMEDIES: readonly (readonly [Kind, (error: never) => string])[] = [
  [
    ConfigurationError,
    () => 'Correct the variables of this server in its host, and start it again.',
  ],
  [
    ServiceConnectionError,
    () => 'Check that the service runs, and that TRIBUTARY_URL is its address; then try again.',
  ],
  [UnexpectedResponseError, () => 'Check that TRIBUTARY_URL is the address of the service.'],
  [
    AuthenticationError,
    () =>
      'Check CLIENT_ID, CLIENT_SECRET and the scopes of the key pair with the operator of the service.',
  ],
  [
    PermissionDeniedError,
    () => 'Use another link, or ask the operator of the service for this permission.',
  ],
  [NotFoundError, () => 'Look the id up with one of the tools that list.'],
  [
    LinkNeedsOwnerError,
    () => 'The account owner has to sign in again; stored data stays readable.',
  ],
  [RateLimitError, ({ retryAfter }: RateLimitError) => `Try again in ${retryAfter ?? 60} seconds.`],
  [ServiceUnavailableError, () => 'Try again in a moment.'],
  [
    ValidationError,
    ({ issues }: ValidationError) =>
      ['Correct the arguments and try again.', ...issues.slice(0, 5).map(inWords)].join(' '),
  ],
  [
    TributaryError,
    () => 'Look the code up in the API reference of the service, at its path /docs.',
  ],
];

/** The cause in one sentence and what to do next; never a stack trace, nor the text of an unknown error. */
export function explainFailure(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const { problem, remedy } = failureOf(error);
  return `${problem} ${remedy}`;
}

/** The same in its two sentences. */
export function failureOf(error: unknown): { problem: string; remedy: string } {
  const remedy = REMEDIES.find(([kind]) => error instanceof kind)?.[1];
  if (remedy === undefined)
    return {
      problem: 'This failed for a reason that the server does not know.',
      remedy: 'Try again, and report it with the name of the tool if it stays.',
    };
  const problem = (error as Error).message.replace(/\.?$/, '.');
  return { problem, remedy: remedy(error as never) };
}

/** A wrong place in arguments, such as "script.0.verb: is missing;". */
function inWords({ location, message }: ValidationError['issues'][number]): string {
  return `${location.join('.')}: ${message};`;
}
