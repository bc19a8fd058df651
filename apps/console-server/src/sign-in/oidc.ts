import { randomBytes } from 'node:crypto';
import * as openid from 'openid-client';
import type { ConsoleGrant } from '../../../../prisma/operations/console/console-grant.js';
import { ConsoleFailure, notFound } from '../access/console-failure.js';
import { RECENT_SIGN_IN_MS } from '../access/access.js';
import { grantsOfClaim } from './grants-of-claim.js';

const PENDING_MS = 600_000;
const MAX_PENDING = 1_000;
const RANDOM_BYTES = 32;

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  rolesClaim: string;
  /** The address of the console; the provider returns to `/sign-in/return` below it. */
  baseUrl: string;
}

/** A sign-in that a browser began, and that only this browser can complete, once. */
interface Pending {
  browser: string;
  nonce: string;
  codeVerifier: string;
  until: number;
}

/** Signing in at an OpenID provider: code, PKCE, state and nonce; the sign-in there is a new one, not a remembered one. */
export class OidcSignIn {
  private configuration: Promise<openid.Configuration> | null = null;
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly settings: OidcSettings,
    private readonly now: () => Date,
  ) {}

  /** @returns the address at the provider, and the secret that binds the sign-in to this browser */
  async start(): Promise<{ url: string; browser: string }> {
    const configuration = await this.discovered();
    const state = openid.randomState();
    const pending = {
      browser: randomBytes(RANDOM_BYTES).toString('base64url'),
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
      until: this.now().getTime() + PENDING_MS,
    };
    this.makeRoom();
    this.pending.set(state, pending);
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.returnAddress,
      scope: 'openid',
      state,
      nonce: pending.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
      prompt: 'login',
      max_age: String(RECENT_SIGN_IN_MS / 1000),
    });
    return { url: url.href, browser: pending.browser };
  }

  /**
   * @param query the query with which the provider returned
   * @throws ConsoleFailure when this browser did not begin it, the provider refused, or the person has no role
   */
  async complete(
    query: string,
    browser: string | null,
  ): Promise<{ actor: string; grants: readonly ConsoleGrant[] }> {
    const address = new URL(this.returnAddress);
    address.search = query;
    const state = address.searchParams.get('state') ?? '';
    const pending = this.pending.get(state);
    // Used once, whatever follows.
    this.pending.delete(state);
    const isKnown = pending !== undefined && pending.until > this.now().getTime();
    if (!isKnown || browser !== pending.browser)
      throw new ConsoleFailure(
        401,
        'console.sign_in_unknown',
        'This sign-in did not begin in this browser, or is over: begin it again.',
      );
    const claims = await this.redeem(address, state, pending);
    const actor = `oidc:${new URL(claims.iss).host}/${claims.sub}`;
    const grants = grantsOfClaim(claims[this.settings.rolesClaim]);
    if (grants.length === 0)
      throw new ConsoleFailure(
        403,
        'console.no_role',
        'You are signed in at your organization, and have no role here. Give issuer and subject to the operator of this service.',
        [
          { field: 'issuer', message: claims.iss },
          { field: 'subject', message: claims.sub },
        ],
      );
    return { actor, grants };
  }

  private async redeem(address: URL, state: string, { nonce, codeVerifier }: Pending) {
    try {
      const tokens = await openid.authorizationCodeGrant(await this.discovered(), address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
        maxAge: RECENT_SIGN_IN_MS / 1000,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw notFound();
      return claims;
    } catch (error) {
      throw new ConsoleFailure(
        401,
        'console.provider_refused',
        'The provider did not sign you in: begin it again.',
        [],
        { cause: error },
      );
    }
  }

  private get returnAddress(): string {
    return `${this.settings.baseUrl.replace(/\/$/, '')}/sign-in/return`;
  }

  /** Found at the first sign-in, and again after a failure. */
  private async discovered(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const isPlain = issuer.startsWith('http:');
    this.configuration ??= openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      // The settings allow http to loopback alone.
      ...(isPlain ? { execute: [openid.allowInsecureRequests] } : {}),
    });
    try {
      return await this.configuration;
    } catch (error) {
      this.configuration = null;
      throw new ConsoleFailure(
        503,
        'console.provider_unreachable',
        'The provider that signs operators in does not respond.',
        [],
        { cause: error },
      );
    }
  }

  private makeRoom(): void {
    const now = this.now().getTime();
    for (const [state, { until }] of this.pending)
      if (until <= now || this.pending.size >= MAX_PENDING) this.pending.delete(state);
  }
}
