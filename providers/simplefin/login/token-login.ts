import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { StepInput } from '../../../domain/session/connect-step.js';
import { malformed } from '../../http/remote-object.js';
import type { LoginContext, LoginOutcome } from '../../contract/provider.js';
import { encodeCredential, readAccessUrl, referenceOf } from '../client/access-url.js';
import type { AddressPolicy } from '../client/address-policy.js';
import { badAccessUrl } from '../client/failure-table.js';
import type { SimplefinClient } from '../client/simplefin-client.js';
import { readSetupToken } from './setup-token.js';

export interface TokenLoginParts {
  callServer: SimplefinClient;
  policy: AddressPolicy;
  /** The page on which users create setup tokens. */
  createUrl: string;
}

const FIELD = 'setup_token';

/** By error code. Connect has these texts, and those of the form, in its languages. */
const PROBLEMS = {
  setup_token_unreadable: 'That isn’t a setup token. Copy the whole token and paste it again.',
  setup_token_not_allowed:
    'That setup token points to an address that isn’t allowed here. Create one at the address below.',
  setup_token_used_here:
    'That setup token was already used here, and each one works only once. Create a new one at the address below.',
  setup_token_refused:
    'That setup token is unknown or was already used. If you didn’t use it yourself, someone else may have: disable it where you created it, then create a new one.',
} as const;

/** Requests a setup token from the user; makes no call. */
export function askForToken(
  { createUrl }: Pick<TokenLoginParts, 'createUrl'>,
  problem: keyof typeof PROBLEMS | null = null,
): LoginOutcome {
  return {
    kind: 'step',
    step: {
      kind: 'form',
      purpose: 'credentials',
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
    message: null,
    error: problem === null ? null : { code: problem, text: PROBLEMS[problem] },
    attemptsLeft: null,
    expiresAt: null,
    state: new TextEncoder().encode(FIELD),
  };
}

/**
 * Claims a setup token, which works once: a claim is never repeated, regardless of its outcome. An
 * address that must not be called is refused before any connection.
 * @throws ProviderFailure
 */
export async function claimToken(
  parts: TokenLoginParts,
  context: Pick<LoginContext, 'signal' | 'usedTokens'>,
  input: StepInput,
): Promise<LoginOutcome> {
  if (input.kind !== 'form') throw new ProviderFailure('internal', 'The step expects a form.');
  const token = readSetupToken(input.values[FIELD] ?? '', parts.policy);
  if ('problem' in token) return askForToken(parts, `setup_token_${token.problem}`);

  const wasUsedHere = (await context.usedTokens?.includes(token.claimAddress)) ?? false;
  const response = await claim(parts.callServer, token.claimAddress, context);
  if (response === null)
    return askForToken(parts, wasUsedHere ? 'setup_token_used_here' : 'setup_token_refused');
  const accessUrl = response.trim();
  if (readAccessUrl(accessUrl, parts.policy) === null)
    throw /^https?:/i.test(accessUrl) ? badAccessUrl() : malformed('it is not an access URL');
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
  { signal, usedTokens }: Pick<LoginContext, 'signal' | 'usedTokens'>,
): Promise<string | null> {
  try {
    const response = await callServer({ operation: 'claim', method: 'POST', address, signal });
    await usedTokens?.add(address);
    return response;
  } catch (error) {
    const cause = error instanceof ProviderFailure ? error.providerCause : null;
    if (cause === 'invalid_credentials') return null;
    // The claim may have been carried out although its response was lost.
    if (cause === null || LOST.includes(cause)) await usedTokens?.add(address);
    throw error;
  }
}

const LOST: readonly ProviderCause[] = ['provider_down', 'institution_timeout'];
