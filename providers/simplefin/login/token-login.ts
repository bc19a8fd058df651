import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { StepInput } from '../../../domain/session/connect-step.js';
import { malformed } from '../../http/remote-object.js';
import type { LoginContext, LoginOutcome } from '../../provider.js';
import { encodeCredential, readAccessUrl, referenceOf } from '../client/access-url.js';
import type { AddressPolicy } from '../client/address-policy.js';
import type { SimplefinClient } from '../client/simplefin-client.js';
import { readSetupToken } from './setup-token.js';

export interface TokenLoginParts {
  callServer: SimplefinClient;
  policy: AddressPolicy;
  /** Where users create setup tokens. */
  createUrl: string;
}

const FIELD = 'setup_token';

/** Shown above the form: the words of Connect know only passwords. */
const PROBLEMS = {
  notAToken:
    'This is not a setup token that can be used here. Create one, copy it completely, and paste it.',
  refused:
    'This setup token is unknown or was used before. If you did not use it yourself, someone else may have: disable it where you created it, then create a new one.',
} as const;

/** Asks for a setup token; makes no call. */
export function askForToken(
  { createUrl }: Pick<TokenLoginParts, 'createUrl'>,
  problem: keyof typeof PROBLEMS | null = null,
): LoginOutcome {
  const text = problem === null ? null : PROBLEMS[problem];
  return {
    kind: 'step',
    step: {
      kind: 'form',
      purpose: 'details',
      fields: [
        {
          name: FIELD,
          label: 'Setup token',
          type: 'text',
          required: true,
          secret: true,
          autocomplete: 'off',
          max_length: 4_096,
          pattern: null,
          options: null,
        },
      ],
      help_url: createUrl,
      reset_url: null,
    },
    message: text,
    error: text === null ? null : { code: 'invalid_credentials', text },
    attemptsLeft: null,
    expiresAt: null,
    state: new TextEncoder().encode(FIELD),
  };
}

/**
 * Claims a setup token, which works once: whatever happens to a claim, it is not repeated. An
 * address that must not be called is refused before any connection.
 * @throws ProviderFailure
 */
export async function claimToken(
  parts: TokenLoginParts,
  { signal }: Pick<LoginContext, 'signal'>,
  input: StepInput,
): Promise<LoginOutcome> {
  if (input.kind !== 'form') throw new ProviderFailure('internal', 'The step expects a form.');
  const claimAddress = readSetupToken(input.values[FIELD] ?? '', parts.policy);
  if (claimAddress === null) return askForToken(parts, 'notAToken');

  const response = await claim(parts.callServer, claimAddress, signal);
  if (response === null) return askForToken(parts, 'refused');
  const accessUrl = response.trim();
  if (readAccessUrl(accessUrl, parts.policy) === null)
    throw malformed('the access URL is not one of an allowed host');
  return {
    kind: 'linked',
    credential: encodeCredential(accessUrl),
    reference: referenceOf(accessUrl),
    consent: 'ask',
  };
}

/** @returns null for a token that the server refuses */
async function claim(
  callServer: SimplefinClient,
  address: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await callServer({ operation: 'claim', method: 'POST', address, signal });
  } catch (error) {
    if (error instanceof ProviderFailure && error.provider_cause === 'invalid_credentials')
      return null;
    throw error;
  }
}
