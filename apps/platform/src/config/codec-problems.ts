import { isLoopback } from './loopback.js';

type Values = Readonly<Record<string, unknown>>;

const TOKENS = [
  ['CODEC_JWKS_URL', 'codecJwksUrl'],
  ['CODEC_ISSUER', 'codecIssuer'],
  ['CODEC_AUDIENCE', 'codecAudience'],
] as const;

/** Conflicts between settings of the codec that are valid alone. */
export function codecProblems(settings: Values): string[] {
  if (settings['codecTokenFile'] !== undefined && settings['codecAuth'] === 'none')
    return ['CODEC_AUTH must not be none beside CODEC_TOKEN_FILE: remove one or the other'];
  const given = TOKENS.filter(([, name]) => settings[name] !== undefined);
  if (given.length === 0) return [];
  const problems = TOKENS.filter(([, name]) => settings[name] === undefined).map(
    ([name]) =>
      `${name} is missing: tokens are checked by CODEC_JWKS_URL, CODEC_ISSUER and CODEC_AUDIENCE together`,
  );
  if (settings['codecAuth'] === 'none')
    problems.push('CODEC_AUTH must not be none beside settings of tokens: remove one or the other');
  const jwksUrl = settings['codecJwksUrl'];
  if (typeof jwksUrl === 'string' && /^http:/i.test(jwksUrl) && !isLoopback(jwksUrl))
    problems.push(
      'CODEC_JWKS_URL must be https unless it is a loopback address: an attacker who replaces the keys in transit can sign tokens',
    );
  return problems;
}
