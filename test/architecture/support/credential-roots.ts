/** A credential that another one, its root, gave to its holder. */
export interface DerivedCredential {
  /** Its column of prisma/schema.prisma, as `Model.field`. */
  column: string;
  /** A holder who may no longer use the root may no longer use it either. */
  root: string;
  /** The time at which it ends, at the latest, when the root does not end before. */
  ends: string;
  /** The tests that end a root: file and title. */
  provenBy: readonly [file: string, title: string][];
  /** The roots that it outlives, and the reason for which that is no access. */
  outlives?: string;
}

const LIMITED_PAIRS = 'test/e2e/http/limited-key-pairs.test.ts';
const MAKERS = 'test/e2e/simplefin/makers.test.ts';
const TOKENS = 'test/e2e/simplefin/tokens.test.ts';
const CONSOLE = 'test/e2e/console/sign-in.test.ts';
const SIGN_IN_ENDS: DerivedCredential['provenBy'] = [
  [CONSOLE, 'ends twelve hours after the sign-in, however it is used'],
  [CONSOLE, 'ends at once when its person signs out, or an operator ends it'],
  [CONSOLE, 'needs both the cookie and the half that the page keeps'],
];
const SESSION_IS_HARMLESS =
  'its key pair: it opens one session of one user, whose result only a working key pair of the same app exchanges';

/** Everything whose knowledge gives access, except the keys of the service itself. */
export const DERIVED_CREDENTIALS: readonly DerivedCredential[] = [
  {
    column: 'ClientSecret.secretHash',
    root: 'key pair',
    ends: 'when the operator ends it',
    provenBy: [
      [LIMITED_PAIRS, 'is as if disabled from then on, with its tokens, for every kind of caller'],
      [
        'test/compat/transport.test.ts',
        'are not valid for the environment once the key pair is revoked',
      ],
    ],
  },
  {
    column: 'AccessToken.tokenHash',
    root: 'key pair, and one of its secrets',
    ends: 'ACCESS_TOKEN_TTL after its issue',
    provenBy: [
      [
        'test/e2e/security/isolation.test.ts',
        'ends at once in every process when its client is disabled',
      ],
      [LIMITED_PAIRS, 'is as if disabled from then on, with its tokens, for every kind of caller'],
      [LIMITED_PAIRS, 'narrows earlier tokens in every process when it is restricted'],
    ],
    outlives:
      'its secret, so that a rotation interrupts nothing; clients end-secret --tokens ends it',
  },
  {
    column: 'SimplefinToken.setupHash',
    root: 'key pair, and customer user',
    ends: '24 hours after its creation',
    provenBy: [
      [MAKERS, 'ends with a key pair that has an end, claimed or not'],
      [MAKERS, 'ends with its key pair when the operator disables it with --simplefin'],
      [TOKENS, 'stops at once, at every process, when it is revoked'],
    ],
    outlives:
      'a key pair that is replaced, or narrowed: users do not notice it; its number is reported, and the operator revokes by pair and time',
  },
  {
    column: 'SimplefinToken.credentialHash',
    root: 'key pair, setup token, and customer user',
    ends: 'with its setup token',
    provenBy: [
      [MAKERS, 'ends with a key pair that has an end, claimed or not'],
      [MAKERS, 'ends with its key pair when the operator disables it with --simplefin'],
      [TOKENS, 'stops with the erasure of its user, and with the last enabled key pair of its app'],
    ],
    outlives:
      'a key pair that is replaced, or narrowed: users do not notice it; its number is reported, and the operator revokes by pair and time',
  },
  {
    column: 'LinkSession.tokenHash',
    root: 'link session, created by a key pair',
    ends: 'LINK_SESSION_TTL after its creation, hosted at most 7 days',
    provenBy: [['test/e2e/connect/connect-errors.test.ts', 'refuses an expired session']],
    outlives: SESSION_IS_HARMLESS,
  },
  {
    column: 'LinkSession.connectTokenHash',
    root: 'link session',
    ends: 'with its session',
    provenBy: [
      ['test/e2e/connect/connect-steps.test.ts', 'refuses everything after the session expired'],
    ],
    outlives: SESSION_IS_HARMLESS,
  },
  {
    column: 'ConnectToken.tokenHash',
    root: 'link session',
    ends: 'with its session; a superseded one at once',
    provenBy: [
      ['test/e2e/connect/connect-steps.test.ts', 'refuses everything after the session expired'],
    ],
    outlives: SESSION_IS_HARMLESS,
  },
  {
    column: 'LinkSession.browserHash',
    root: 'link session',
    ends: 'with its session',
    provenBy: [
      ['test/e2e/connect/connect-steps.test.ts', 'refuses everything after the session expired'],
    ],
  },
  {
    column: 'OAuthState.stateHash',
    root: 'link session',
    ends: 'with its redirect attempt, at the latest with its session',
    provenBy: [
      [
        'test/e2e/connect/oauth-callback-call.test.ts',
        'is refused when the redirect attempt or the session expired',
      ],
    ],
  },
  {
    column: 'OAuthState.returnHash',
    root: 'link session',
    ends: 'with its redirect attempt, at the latest with its session',
    provenBy: [
      [
        'test/e2e/connect/oauth-resume-call.test.ts',
        'refuses the token of another session, a page that is not on the list, and an expired session',
      ],
    ],
  },
  {
    column: 'ExchangeableToken.tokenHash',
    root: 'link session, and link; a working key pair of the app must present it',
    ends: 'by its exchange, or at its own expiry',
    provenBy: [
      [
        'test/integration/linking/exchange.test.ts',
        'is refused for an unknown token and for a deleted link',
      ],
    ],
  },
  {
    column: 'ItemAccessToken.tokenHash',
    root: 'link; a working key pair of the app must present it',
    ends: 'with its link, or when it is replaced',
    provenBy: [
      ['test/compat/tokens.test.ts', 'of a removed item returns ITEM_NOT_FOUND on every call'],
    ],
  },
  {
    column: 'WebhookListener.listenerId',
    root: 'key pair; one of its tokens must present it',
    ends: 'a minute after its last call',
    provenBy: [
      [
        'test/integration/webhooks/listeners.test.ts',
        'returns nothing to a token whose client was disabled meanwhile',
      ],
    ],
  },
  {
    column: 'ProviderConfiguration.webhookKeyHash',
    root: 'configuration',
    ends: 'with its configuration, or when the operator makes another one',
    provenBy: [
      [
        'test/e2e/http/provider-webhooks.test.ts',
        'refuses the previous key once there is a new one',
      ],
    ],
  },
  {
    column: 'ConsoleCode.codeHash',
    root: 'an operator at the command line',
    ends: '10 minutes after its creation, or by its use',
    provenBy: [
      [CONSOLE, 'ends after ten minutes'],
      [CONSOLE, 'signs in once, even when two browsers use it at the same time'],
    ],
  },
  {
    column: 'ConsoleSession.cookieHash',
    root: 'a one-time link, or a person of the OpenID provider with a role',
    ends: '12 hours after the sign-in',
    provenBy: SIGN_IN_ENDS,
    outlives: 'a role that the OpenID provider takes away; console sign-out ends it',
  },
  {
    column: 'ConsoleSession.headerHash',
    root: 'a one-time link, or a person of the OpenID provider with a role',
    ends: '12 hours after the sign-in',
    provenBy: SIGN_IN_ENDS,
    outlives: 'a role that the OpenID provider takes away; console sign-out ends it',
  },
];

/** Hashes of contents: knowing one gives nothing. */
export const NOT_CREDENTIALS: readonly string[] = [
  'InvestmentTransactionVersion.contentHash',
  'TransactionVersion.contentHash',
  'TokenCallBucket.keyHash',
  'IdempotencyRecord.scopeHash',
];
