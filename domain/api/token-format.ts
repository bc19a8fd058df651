import type { Environment } from './environment.js';

/** Random bytes of a token. Tokens are stored only as SHA-256. Source: link-lifecycle 3. */
export const TOKEN_RANDOM_BYTES = 32;

export type TokenKind = 'access' | 'link_session' | 'exchangeable' | 'connect';

export function tokenPrefix(kind: TokenKind, environment: Environment): string {
  switch (kind) {
    case 'link_session':
      return `${environment}_ls_`;
    case 'exchangeable':
      return `${environment}_xt_`;
    case 'access':
    case 'connect':
      return '';
  }
}

/**
 * Whether the text has the characters and length of a link_session_token. Source: link-lifecycle 3.
 */
export function isTokenShaped(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,256}$/.test(text);
}
