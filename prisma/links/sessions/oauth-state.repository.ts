import { TOKEN_RANDOM_BYTES } from '../../../domain/api/token-format.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { lockSession } from './lock-session.js';

/** A redirect attempt: the provider's preparation, and the secrets that protect it. */
export interface OpenedRedirect {
  attemptKey: string;
  /** Sent to the bank, which returns it. */
  state: string;
  /** The oauth_state_id, contained only in the address the user is redirected to. */
  returnId: string;
  authorizeUrl: string;
  /** The expected `iss` of the callback; null = the bank does not send one. */
  issuer: string | null;
  /** Whether the callback must include a code or an error. */
  returns: 'code_or_error' | 'anything';
  expiresAt: Date;
  providerState: Uint8Array;
}

/** The response of oauth/start, stored for a repeated request_id. Source: connect 5, rule 12. */
export interface KeptStart {
  authorizeUrl: string;
  /** base64url SHA-256 of the oauth_state_id, without padding. */
  stateHash: string;
  expiresAt: Date;
}

export interface Callback {
  state: string;
  issuer: string | null;
  /** The callback includes a code or an error. */
  hasOutcome: boolean;
  /** The complete callback URL. */
  address: string;
}

type SealedColumn =
  | 'sealed_return_id'
  | 'sealed_address'
  | 'sealed_provider_state'
  | 'sealed_callback';

/** The redirect attempts of a session. Source: connect 7. */
export class OAuthStateRepository {
  constructor(
    private readonly ctx: Context,
    private readonly lifetime: { ttlMs: number },
  ) {}

  /** Creates the secrets of a redirect attempt: a `state` of 256 bits and an oauth_state_id. */
  makeSecrets(): Pick<OpenedRedirect, 'state' | 'returnId'> {
    return {
      state: Buffer.from(this.ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url'),
      returnId: this.ctx.uuid(),
    };
  }

  /**
   * Stores a redirect attempt under the name of its request, once. Returns its expiry, or null when
   * the session has ended.
   */
  async keep(sessionId: string, redirectId: string, opened: OpenedRedirect): Promise<Date | null> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state === 'ended' || session.redirectUri === null)
        return null;
      const known = await tx.oAuthState.findUnique({
        where: { sessionId_redirectId: { sessionId, redirectId } },
      });
      if (known !== null) return known.expiresAt;
      const now = ctx.clock();
      const seal = (column: SealedColumn, plain: string | Uint8Array) =>
        this.seal(tx, sessionId, redirectId, column, plain);
      const expiresAt = new Date(
        Math.min(opened.expiresAt.getTime(), now.getTime() + this.lifetime.ttlMs),
      );
      await tx.oAuthState.create({
        data: {
          sessionId,
          redirectId,
          attemptKey: opened.attemptKey,
          stateHash: bytesColumn(sha256(opened.state)),
          returnHash: bytesColumn(sha256(opened.returnId)),
          issuer: opened.issuer,
          returns: opened.returns,
          redirectUri: session.redirectUri,
          expiresAt,
          sealedReturnId: await seal('sealed_return_id', opened.returnId),
          sealedAddress: await seal('sealed_address', opened.authorizeUrl),
          sealedProviderState: await seal('sealed_provider_state', opened.providerState),
          createdAt: now,
        },
      });
      return expiresAt;
    });
  }

  async expiryOf(sessionId: string, redirectId: string): Promise<Date | null> {
    const row = await this.ctx.database.prisma.oAuthState.findUnique({
      where: { sessionId_redirectId: { sessionId, redirectId } },
      select: { expiresAt: true },
    });
    return row?.expiresAt ?? null;
  }

  async keptStart(sessionId: string, redirectId: string): Promise<KeptStart | null> {
    const { prisma } = this.ctx.database;
    const row = await prisma.oAuthState.findUnique({
      where: { sessionId_redirectId: { sessionId, redirectId } },
    });
    if (row === null) return null;
    const authorizeUrl = await this.open(
      prisma,
      sessionId,
      redirectId,
      'sealed_address',
      row.sealedAddress,
    );
    return {
      authorizeUrl: authorizeUrl.toString('utf8'),
      stateHash: Buffer.from(row.returnHash).toString('base64url'),
      expiresAt: row.expiresAt,
    };
  }

  /**
   * The bank redirected a user back: marks the state used, seals the callback, and returns the
   * address for the user. Null, without any change, for a state that is unknown, used, old, or from
   * another issuer, and for a return without its outcome. Source: connect 7, step 3.
   */
  async takeCallback({ state, issuer, hasOutcome, address }: Callback): Promise<string | null> {
    const { ctx } = this;
    const stateHash = bytesColumn(sha256(state));
    const found = await ctx.database.prisma.oAuthState.findUnique({
      where: { stateHash },
      select: { sessionId: true },
    });
    if (found === null) return null;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, found.sessionId);
      const row = await tx.oAuthState.findUnique({ where: { stateHash } });
      const now = ctx.clock();
      if (session === null || session.state === 'ended' || session.expiresAt <= now) return null;
      if (row === null || row.usedAt !== null || row.expiresAt <= now) return null;
      if (row.issuer !== null && row.issuer !== issuer) return null;
      if (row.returns === 'code_or_error' && !hasOutcome) return null;
      const { sessionId, redirectId } = row;
      const sealedCallback = await this.seal(tx, sessionId, redirectId, 'sealed_callback', address);
      await tx.oAuthState.update({ where: { stateHash }, data: { usedAt: now, sealedCallback } });
      const returnId = await this.open(
        tx,
        sessionId,
        redirectId,
        'sealed_return_id',
        row.sealedReturnId,
      );
      return `${row.redirectUri}?oauth_state_id=${returnId.toString('utf8')}`;
    });
  }

  /** Claims the callback of the bank, once, because its code is valid once. Null when it was claimed or erased. */
  async redeem(
    sessionId: string,
    redirectId: string,
  ): Promise<{ providerState: Buffer; callbackUrl: string } | null> {
    return this.ctx.database.transaction(async (tx) => {
      const taken = await tx.oAuthState.updateMany({
        where: { sessionId, redirectId, returnedAt: { not: null }, redeemedAt: null },
        data: { redeemedAt: this.ctx.clock() },
      });
      const row =
        taken.count === 0
          ? null
          : await tx.oAuthState.findUnique({
              where: { sessionId_redirectId: { sessionId, redirectId } },
            });
      if (row === null || row.sealedCallback === null) return null;
      return {
        providerState: await this.open(
          tx,
          sessionId,
          redirectId,
          'sealed_provider_state',
          row.sealedProviderState,
        ),
        callbackUrl: (
          await this.open(tx, sessionId, redirectId, 'sealed_callback', row.sealedCallback)
        ).toString('utf8'),
      };
    });
  }

  private async seal(
    tx: Tx,
    sessionId: string,
    redirectId: string,
    column: SealedColumn,
    plain: string | Uint8Array,
  ) {
    return bytesColumn(
      await this.ctx.sealer.sealUnder(
        tx,
        `session/${sessionId}`,
        placeOf(sessionId, redirectId, column),
        Buffer.from(plain),
      ),
    );
  }

  private open(
    db: Tx | Context['database']['prisma'],
    sessionId: string,
    redirectId: string,
    column: SealedColumn,
    sealed: Uint8Array,
  ): Promise<Buffer> {
    return this.ctx.sealer.openUnder(
      db,
      `session/${sessionId}`,
      placeOf(sessionId, redirectId, column),
      sealed,
    );
  }
}

function placeOf(sessionId: string, redirectId: string, column: SealedColumn) {
  return { table: 'oauth_states', column, row: `${sessionId}/${redirectId}` };
}
