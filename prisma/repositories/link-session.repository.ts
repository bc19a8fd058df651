import type { Step } from '../../domain/connect-step.js';
import type { Environment, Tenant } from '../../domain/environment.js';
import { makeId } from '../../domain/ids.js';
import type { Product, RequestedProducts } from '../../domain/products.js';
import { deadlinesAtOpening, idleDeadline, unopenedDeadline, type SessionLifetimes } from '../../domain/session-deadline.js';
import { TOKEN_RANDOM_BYTES, tokenPrefix } from '../../domain/tokens.js';
import { bytesColumn, sha256, type Context } from '../context.js';
import type { Tx } from '../database.js';
import { Prisma } from '../generated/client.js';
import { notify } from './notify.js';
import { enqueueCommand } from './outbox.js';
import { releaseLogin } from './release-permission.js';
import { openSecret, putSecret } from './session-secret.js';
import { storeCustomerUser, type NewCustomerUser } from './store-customer-user.js';

export type SessionState = 'created' | 'open' | 'succeeded' | 'ended';
export type SessionEnd = 'expired' | 'exchanged' | 'exchange_window_over' | 'link_deleted' | 'cancelled' | 'superseded';

export interface SessionRecord extends Tenant {
  sessionId: string;
  clientId: string;
  mode: 'link' | 'relink';
  existingLinkId: string | null;
  state: SessionState;
  endReason: SessionEnd | null;
  customerUserPk: bigint;
  customerUserId: string;
  app: { name: string; logoUrl: string | null; pageOrigins: string[] };
  presetInstitutionId: string | null;
  products: RequestedProducts;
  countries: string[];
  providers: string[];
  features: Record<string, boolean>;
  theme: unknown;
  redirectUri: string | null;
  webhook: string | null;
  tags: string[];
  worldId: string;
  expiresAt: Date;
  totalExpiresAt: Date | null;
  openedAt: Date | null;
  /** 0 before the first step was shown. */
  seq: number;
  step: Step | null;
  stepsTaken: number;
  /** Of the attempt under way. */
  institutionId: string | null;
  linkPk: bigint | null;
  linkId: string | null;
  bankAccepted: boolean;
  /** The window that goes on never showed the link_session_token: no question to the user may be skipped (connect 7). */
  resumedWithoutToken: boolean;
}

export interface NewSession {
  /** Whose trial limit counts the link. */
  clientId: string;
  /** Ignored in a relink, as is the institution: both are the link's (link-lifecycle 8). */
  customerUser: NewCustomerUser;
  mode: 'link' | 'relink';
  existingLinkId: string | null;
  presetInstitutionId: string | null;
  products: RequestedProducts;
  countries: readonly string[];
  providers: readonly string[];
  features: Record<string, boolean>;
  theme: unknown;
  redirectUri: string | null;
  /** Undefined = the request does not name it: a relink keeps what the link has. */
  webhook: string | null | undefined;
  tags: readonly string[] | undefined;
  worldId: string;
  /** `custom_sandbox_data` as it came. */
  sandboxData?: unknown;
}

/** Whose connect_token it is, and whether a newer window took the session over. */
export type ConnectTokenHolder = { session: SessionRecord; current: boolean };

const SESSION = { customerUser: true, link: { select: { linkId: true } } } satisfies Prisma.LinkSessionInclude;
type FoundSession = Prisma.LinkSessionGetPayload<{ include: typeof SESSION }>;

/** Link sessions: their tokens, their time limits, and the step a user sees now. */
export class LinkSessionRepository {
  constructor(
    private readonly ctx: Context,
    private readonly lifetimes: SessionLifetimes,
  ) {}

  /**
   * Stores a session and gives its link_session_token, which is kept nowhere. A session for an existing link ends every
   * earlier one of that link that is still under way (link-lifecycle 8).
   */
  async create(tenant: Tenant, session: NewSession): Promise<{ sessionId: string; token: string; expiresAt: Date }> {
    const { ctx } = this;
    const now = ctx.clock();
    const sessionId = makeId('session', ctx.random);
    const token = tokenPrefix('link_session', tenant.environment) + Buffer.from(ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url');
    const expiresAt = unopenedDeadline(now, this.lifetimes);
    await ctx.database.transaction(async (tx) => {
      const whose = session.existingLinkId === null
        ? { customerUserPk: await storeCustomerUser(ctx, tx, tenant, session.customerUser), presetInstitutionId: session.presetInstitutionId, worldId: session.worldId }
        : await takeOverLink(ctx, tx, tenant, session.existingLinkId);
      await tx.linkSession.create({
        data: {
          sessionId,
          appId: tenant.appId,
          environment: tenant.environment,
          clientId: session.clientId,
          ...whose,
          tokenHash: bytesColumn(sha256(token)),
          mode: session.mode,
          existingLinkId: session.existingLinkId,
          products: asJson(session.products),
          countries: [...session.countries],
          providers: [...session.providers],
          features: session.features,
          theme: asNullableJson(session.theme),
          redirectUri: session.redirectUri,
          webhook: session.webhook ?? null,
          webhookGiven: session.webhook !== undefined,
          tags: [...(session.tags ?? [])],
          tagsGiven: session.tags !== undefined,
          sandboxData: asNullableJson(session.sandboxData),
          state: 'created',
          expiresAt,
          createdAt: now,
        },
      });
    });
    return { sessionId, token, expiresAt };
  }

  async findByToken(token: string): Promise<SessionRecord | null> {
    return this.findWhere({ tokenHash: bytesColumn(sha256(token)) });
  }

  async findByConnectToken(token: string): Promise<ConnectTokenHolder | null> {
    const hash = sha256(token);
    const found = await this.ctx.database.prisma.connectToken.findUnique({ where: { tokenHash: bytesColumn(hash) }, include: { session: { include: SESSION } } });
    if (found === null) return null;
    const current = found.session.connectTokenHash !== null && Buffer.from(found.session.connectTokenHash).equals(hash);
    return { session: await this.withApp(found.session), current };
  }

  async get(sessionId: string): Promise<SessionRecord | null> {
    return this.findWhere({ sessionId });
  }

  /**
   * Gives the newest opener a connect_token of its own; the one before is superseded. The first opening starts the idle
   * and total time limits. Null when the session has ended or its time is over. Source: connect 4, link-lifecycle 3.
   */
  async open(sessionId: string): Promise<{ connectToken: string; session: SessionRecord } | null> {
    const { ctx } = this;
    const connectToken = Buffer.from(ctx.random(TOKEN_RANDOM_BYTES)).toString('base64url');
    const hash = bytesColumn(sha256(connectToken));
    const opened = await ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      const now = ctx.clock();
      if (row === null || row.state === 'ended' || row.expiresAt <= now) return false;
      await tx.connectToken.create({ data: { tokenHash: hash, sessionId, createdAt: now } });
      const first = row.openedAt === null;
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          connectTokenHash: hash,
          ...(first ? { openedAt: now, ...deadlinesAtOpening(now, this.lifetimes), state: row.state === 'created' ? 'open' : row.state } : {}),
        },
      });
      return true;
    });
    if (!opened) return null;
    const session = await this.get(sessionId);
    return session === null ? null : { connectToken, session };
  }

  /**
   * Shows a step, unless a newer one is shown already. An accepted user step extends the idle time; what it granted is
   * kept until the end of linking. Answers the deadline now in force.
   */
  async projectStep(sessionId: string, shown: { seq: number; step: Step; accepted: boolean; granted?: readonly Product[] | undefined }): Promise<{ expiresAt: Date }> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null) throw new Error(`unknown session ${sessionId}`);
      const expiresAt = shown.accepted ? this.extended(row) : row.expiresAt;
      await showStep(tx, row, { seq: shown.seq, step: shown.step }, {
        expiresAt, stepsTaken: row.stepsTaken + (shown.accepted ? 1 : 0), ...(shown.granted === undefined ? {} : { grantedProducts: [...shown.granted] }),
      });
      return { expiresAt };
    });
  }

  /** Notes that the user answered a step: extends the idle time and counts towards the limit of steps. */
  async acceptAnswer(sessionId: string): Promise<{ expiresAt: Date; stepsTaken: number }> {
    return this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null) throw new Error(`unknown session ${sessionId}`);
      const data = { expiresAt: this.extended(row), stepsTaken: row.stepsTaken + 1 };
      await tx.linkSession.update({ where: { sessionId }, data });
      return data;
    });
  }

  /** The user asked for more time: the idle time begins anew, as after an answer; the total stays. Nothing for a session that is over. */
  async extend(sessionId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const row = await lockSession(tx, sessionId);
      if (row === null || row.state !== 'open' || row.expiresAt <= this.ctx.clock()) return;
      await tx.linkSession.update({ where: { sessionId }, data: { expiresAt: this.extended(row) } });
    });
  }

  /** Seals an answer of the user (a form, a code) for the workflow to hand to the bank by its name. */
  async sealAnswer(sessionId: string, name: string, plain: Uint8Array): Promise<void> {
    await this.ctx.database.transaction((tx) => putSecret(this.ctx, tx, sessionId, 'answer', name, plain));
  }

  async openAnswer(sessionId: string, name: string): Promise<Buffer | null> {
    return openSecret(this.ctx, this.ctx.database.prisma, sessionId, 'answer', name);
  }

  private extended(row: { expiresAt: Date; totalExpiresAt: Date | null }): Date {
    return row.totalExpiresAt === null ? row.expiresAt : idleDeadline(this.ctx.clock(), row.totalExpiresAt, this.lifetimes);
  }

  private async findWhere(where: Prisma.LinkSessionWhereUniqueInput): Promise<SessionRecord | null> {
    const row = await this.ctx.database.prisma.linkSession.findUnique({ where, include: SESSION });
    return row === null ? null : this.withApp(row);
  }

  private async withApp(row: FoundSession): Promise<SessionRecord> {
    const app = await this.ctx.database.prisma.application.findUniqueOrThrow({ where: { appId: row.appId } });
    return { ...toSession(row), app: { name: app.name, logoUrl: app.logoUrl, pageOrigins: app.pageOrigins } };
  }
}

/** What a session has from its existing link. Earlier sessions of the link end: their users go on elsewhere. */
async function takeOverLink(ctx: Context, tx: Tx, { appId, environment }: Tenant, linkId: string) {
  // Two sessions made at the same moment would not see each other.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`relink/${linkId}`}, 0))`;
  const link = await tx.link.findFirst({ where: { linkId, appId, environment } });
  if (link === null) throw new Error(`unknown link ${linkId}`);
  const earlier = await tx.linkSession.findMany({ where: { existingLinkId: linkId, state: { in: ['created', 'open'] } }, select: { sessionId: true } });
  for (const { sessionId } of earlier) {
    const found = await lockSession(tx, sessionId);
    if (found?.state !== 'created' && found?.state !== 'open') continue;
    await endSession(ctx, tx, sessionId, 'superseded');
    await enqueueCommand(tx, { kind: 'signalSession', sessionId, mode: 'relink', signal: 'ended' });
  }
  const { customerUserPk, institutionId, worldId } = link;
  return { linkPk: link.pk, customerUserPk, presetInstitutionId: institutionId, institutionId, worldId };
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof lockSession>>>;

/** Locks a session until the end of the transaction and reads it. */
export async function lockSession(tx: Tx, sessionId: string) {
  await tx.$queryRaw`SELECT session_id FROM link_sessions WHERE session_id = ${sessionId} FOR NO KEY UPDATE`;
  return tx.linkSession.findUnique({ where: { sessionId } });
}

const ENDS_OF_ATTEMPT: readonly Step['kind'][] = ['select_institution', 'success', 'error'];

/** Writes the step into the locked session, unless it already shows a newer one, and tells those who wait for it. */
export async function showStep(tx: Tx, row: SessionRow, shown: { seq: number; step: Step }, also: Prisma.LinkSessionUpdateInput = {}): Promise<void> {
  const newer = shown.seq > row.seq;
  // What the bank asked for last can be shown again, until the attempt has come to an end.
  const prepared = ENDS_OF_ATTEMPT.includes(shown.step.kind) ? { preparedStep: Prisma.DbNull } : {};
  if (newer && !isOnTheWay(shown.step)) await tx.oAuthState.deleteMany({ where: { sessionId: row.sessionId, returnedAt: null } });
  await tx.linkSession.update({
    where: { sessionId: row.sessionId },
    data: { ...also, ...(newer ? { seq: shown.seq, step: asJson(shown.step), ...prepared } : {}) },
  });
  await notify(tx, 'link_session', row.sessionId);
}

/** While one of these is shown, the user may still come back from the bank's own pages. */
function isOnTheWay(step: Step): boolean {
  return step.kind === 'wait' || (step.kind === 'redirect' && step.started);
}

/** A step may show names and balances of accounts: it goes with its session. */
export const NOTHING_SHOWN = { step: Prisma.DbNull, preparedStep: Prisma.DbNull };

/** Ends a session: nothing sealed for it remains, and what a bank gave to it alone is revoked. */
export async function endSession(ctx: Context, tx: Tx, sessionId: string, reason: SessionEnd): Promise<void> {
  await tx.linkSession.updateMany({ where: { sessionId, state: { not: 'ended' } }, data: { state: 'ended', endReason: reason, endedAt: ctx.clock(), ...NOTHING_SHOWN } });
  await releaseLogin(ctx, tx, sessionId);
  await tx.sessionSecret.deleteMany({ where: { sessionId } });
  await tx.oAuthState.deleteMany({ where: { sessionId } });
  await ctx.sealer.eraseKey(tx, `session/${sessionId}`);
  await notify(tx, 'link_session', sessionId);
}

/** Our own types are JSON already; Prisma wants to be told. */
export function asJson(value: unknown): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

function asNullableJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null || value === undefined ? Prisma.DbNull : asJson(value);
}

function toSession(row: FoundSession): Omit<SessionRecord, 'app'> {
  return {
    sessionId: row.sessionId,
    appId: row.appId,
    environment: row.environment as Environment,
    clientId: row.clientId,
    mode: row.mode as SessionRecord['mode'],
    existingLinkId: row.existingLinkId,
    state: row.state as SessionState,
    endReason: row.endReason as SessionEnd | null,
    customerUserPk: row.customerUserPk,
    customerUserId: row.customerUser.userId,
    presetInstitutionId: row.presetInstitutionId,
    products: row.products as RequestedProducts,
    countries: row.countries,
    providers: row.providers,
    features: row.features as Record<string, boolean>,
    theme: row.theme,
    redirectUri: row.redirectUri,
    webhook: row.webhook,
    tags: row.tags,
    worldId: row.worldId,
    expiresAt: row.expiresAt,
    totalExpiresAt: row.totalExpiresAt,
    openedAt: row.openedAt,
    seq: row.seq,
    step: row.step as Step | null,
    stepsTaken: row.stepsTaken,
    institutionId: row.institutionId,
    linkPk: row.linkPk,
    linkId: row.link?.linkId ?? null,
    bankAccepted: row.bankAccepted,
    resumedWithoutToken: row.resumedWithoutToken,
  };
}
