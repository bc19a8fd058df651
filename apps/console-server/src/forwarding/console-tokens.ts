import type { Tenant } from '../../../../domain/api/environment.js';
import type { Context } from '../../../../prisma/base/context.js';
import { AccessTokenRepository } from '../../../../prisma/tenants/applications/access-token.repository.js';
import {
  consoleClientId,
  ensureConsolePair,
} from '../../../../prisma/tenants/applications/console-pair.js';

const TTL_MS = 3_600_000;
/** A token is replaced this long before it expires. */
const MARGIN_MS = 300_000;
const MAX_KEPT = 1_000;

/** The access tokens with which the console calls the API for an app. */
export class ConsoleTokens {
  private readonly kept = new Map<string, { token: string; until: number }>();
  private readonly tokens: AccessTokenRepository;

  constructor(private readonly ctx: Context) {
    this.tokens = new AccessTokenRepository(ctx);
  }

  /** Null = there is no such app. */
  async of(tenant: Tenant): Promise<string | null> {
    const clientId = consoleClientId(tenant);
    const now = this.ctx.clock().getTime();
    const kept = this.kept.get(clientId);
    if (kept !== undefined && kept.until > now) return kept.token;
    const scopes = await ensureConsolePair(this.ctx, tenant);
    if (scopes === null) return null;
    const { token } = await this.tokens.issue({ clientId, secretId: null, scopes, ttlMs: TTL_MS });
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(clientId, { token, until: now + TTL_MS - MARGIN_MS });
    return token;
  }

  /** Forgets a token that the API refused. */
  drop(tenant: Tenant): void {
    this.kept.delete(consoleClientId(tenant));
  }
}
