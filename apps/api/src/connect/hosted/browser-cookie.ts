import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import { getDomain } from 'tldts';
import { TOKEN_RANDOM_BYTES } from '../../../../../domain/api/token-format.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';

/** base64url of TOKEN_RANDOM_BYTES bytes. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** Longer than any session, which ends an hour after it was opened. */
const MAX_AGE_SECONDS = 86_400;

/**
 * The cookie by which a session of the hosted page belongs to the browser that opened it. It is a
 * random value that grants nothing by itself. Source: connect 2.
 */
@Injectable()
export class BrowserCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(@Inject(SETTINGS) { baseUrl, connectBaseUrl }: ApiSettings) {
    const [api, page] = [new URL(baseUrl), new URL(connectBaseUrl)];
    // Browsers keep a `__Host-` cookie for https only, which every address but loopback has.
    const isSecure = api.protocol === 'https:';
    this.name = isSecure ? '__Host-connect-browser' : 'connect-browser';
    this.attributes = [
      'Path=/',
      'HttpOnly',
      ...(isSecure ? ['Secure'] : []),
      // A hosted page on another site sends the cookie only when it is kept for that site alone.
      ...(isSecure && !isSameSite(api, page)
        ? ['SameSite=None', 'Partitioned']
        : ['SameSite=Strict']),
      `Max-Age=${MAX_AGE_SECONDS}`,
    ].join('; ');
  }

  /** The value that the browser sent; null when it sent none, or several. */
  read({ headers }: Pick<Request, 'headers'>): string | null {
    const values = (headers.cookie ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${this.name}=`))
      .map((pair) => pair.slice(this.name.length + 1));
    const [value] = values;
    return value !== undefined && values.length === 1 && SECRET.test(value) ? value : null;
  }

  /** A new value, for a browser without one. */
  make(): string {
    return randomBytes(TOKEN_RANDOM_BYTES).toString('base64url');
  }

  write(response: Response, value: string): void {
    response.append('Set-Cookie', `${this.name}=${value}; ${this.attributes}`);
  }
}

function isSameSite(one: URL, other: URL): boolean {
  if (one.hostname === other.hostname) return true;
  const site = getDomain(one.hostname, { allowPrivateDomains: true });
  return site !== null && site === getDomain(other.hostname, { allowPrivateDomains: true });
}
