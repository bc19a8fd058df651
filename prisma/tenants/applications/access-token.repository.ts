import type { Environment, Tenant } from '../../../domain/api/environment.js';
import { isScope, sharedScopes, type Scope } from '../../../domain/api/scopes.js';
import { TOKEN_RANDOM_BYTES } from '../../../domain/api/token-format.js';
import type { Context } from '../../base/context.js';
import { consoleClientId } from './console-pair.js';
import { limitsOfPair, type PairColumns } from './pair-limits.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';

/** The client a bearer token was issued to, and its scopes. */
export interface TokenRecord extends Tenant {
  clientId: string;
  /** The name of the app, also shown as the client's name. */
  appName: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  /** False: its client is disabled, or the tokens of its secret were ended. */
  isActive: boolean;
  /** The end of its client; null = none. */
  clientEndsAt: Date | null;
}

/** Runs on every call, so it is prepared once per connection. */
const FIND = {
  name: 'find-access-token',
  text: `SELECT c.client_id, c.app_id, c.environment, a.name, t.scope, t.expires_at,
                c.ends_at, c.scopes AS pair_scopes, c.restriction, c.share_percent,
                c.disabled_at IS NULL AND s.tokens_ended_at IS NULL AS is_active
           FROM access_tokens t
           JOIN api_clients c ON c.client_id = t.client_id
           JOIN applications a ON a.app_id = c.app_id
           LEFT JOIN client_secrets s ON s.secret_id = t.secret_id
          WHERE t.token_hash = $1`,
};

/** `SKIP LOCKED` lets several workers sweep concurrently. */
const REMOVE_EXPIRED = `
  DELETE FROM access_tokens WHERE token_hash IN (
    SELECT token_hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

interface FoundRow extends PairColumns {
  client_id: string;
  app_id: string;
  environment: Environment;
  name: string;
  scope: string[];
  expires_at: Date;
  is_active: boolean;
  ends_at: Date | null;
}

/** Bearer tokens: opaque, 256 random bits, stored only as SHA-256. Source: native-api 3.1, link-lifecycle 3. */
export class AccessTokenRepository {
  constructor(private readonly ctx: Context) {}

  async issue({
    clientId,
    secretId,
    scopes,
    ttlMs,
  }: {
    clientId: string;
    /** Null = of a pair without a secret. */
    secretId: string | null;
    scopes: readonly Scope[];
    ttlMs: number;
  }): Promise<{ token: string; expiresInSeconds: number }> {
    const token = Buffer.from(this.ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url');
    const now = this.ctx.clock();
    await this.ctx.database.prisma.accessToken.create({
      data: {
        tokenHash: bytesColumn(sha256(token)),
        clientId,
        secretId,
        scope: [...scopes],
        expiresAt: new Date(now.getTime() + ttlMs),
        createdAt: now,
      },
    });
    return { token, expiresInSeconds: Math.floor(ttlMs / 1000) };
  }

  /**
   * Also returns expired and disabled tokens, so the caller can report the reason; null = unknown.
   */
  async find(token: string): Promise<TokenRecord | null> {
    const { rows } = await this.ctx.database.pool.query<FoundRow>({
      ...FIND,
      values: [sha256(token)],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const tenant = { appId: row.app_id, environment: row.environment };
    const isConsole = row.client_id === consoleClientId(tenant);
    const { scopes, ...limits } = limitsOfPair(row, { isConsole });
    return {
      clientId: row.client_id,
      appId: row.app_id,
      environment: row.environment,
      appName: row.name,
      ...limits,
      scopes: sharedScopes(row.scope.filter(isScope), scopes),
      expiresAt: row.expires_at,
      isActive: row.is_active,
      clientEndsAt: row.ends_at,
    };
  }

  /**
   * Removes the oldest tokens that expired before `before`. Expired tokens are kept until then so
   * that the error can report the expiry.
   */
  async removeExpired(before: Date, limit: number): Promise<number> {
    const { rowCount } = await this.ctx.database.pool.query(REMOVE_EXPIRED, [before, limit]);
    return rowCount ?? 0;
  }
}
