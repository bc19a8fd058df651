import type { Tenant } from '../../../domain/api/environment.js';
import { makeId } from '../../../domain/api/ids.js';
import type { RequestedProducts } from '../../../domain/link/products.js';
import {
  unopenedDeadline,
  type SessionLifetimes,
} from '../../../domain/session/session-deadline.js';
import type { SessionOptions } from '../../../domain/session/session-options.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import {
  storeCustomerUser,
  type NewCustomerUser,
} from '../../tenants/applications/store-customer-user.js';
import type { Context } from '../../base/context.js';
import type { AfterEffect } from '../../base/database/after-effect.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import { asJson, asNullableJson } from '../../base/database/json-column.js';
import type { Tx } from '../../base/database/tx.js';
import { formatOf } from '../../announcements/events/formats.js';
import {
  requireAvailable,
  type InstitutionFilter,
} from '../../sources/institutions/institution-availability.js';
import { permittedLinks } from '../../tenants/applications/permitted-rows.js';
import { sealSessionToken } from '../../base/sealing/session-tokens.js';
import { needRoom, takeRoom } from '../../tenants/usage/app-use.js';
import { makeSessionToken } from './make-session-token.js';
import { takeOverLink } from './take-over-link.js';

/** The API that creates a session, with options that a plain native request does not have. */
export interface SessionApi {
  format: WebhookFormat;
  options: SessionOptions;
}

export interface NewSession {
  /** The client whose trial limit the link counts against. */
  clientId: string;
  /** Not stored in a relink, like the institution: the link determines both (link-lifecycle 8). */
  customerUser: NewCustomerUser;
  mode: 'link' | 'relink';
  existingLinkId: string | null;
  presetInstitutionId: string | null;
  /**
   * The institution filter that the session's institution, preset or of its link, must match when
   * the session is stored.
   */
  usable?: InstitutionFilter;
  products: RequestedProducts;
  countries: readonly string[];
  providers: readonly string[];
  features: Record<string, boolean>;
  theme: unknown;
  redirectUri: string | null;
  /** Undefined = not in the request, so a relink keeps the address of the link. */
  webhook: string | null | undefined;
  tags: readonly string[] | undefined;
  worldId: string;
  /** `custom_sandbox_data` of the request. */
  sandboxData?: unknown;
  /** Undefined = created by the native API, for an SDK. */
  api?: SessionApi | undefined;
}

export interface CreatedSession {
  sessionId: string;
  token: string;
  expiresAt: Date;
}

/**
 * Creates a session and returns its link_session_token. A session for an existing link ends every
 * earlier open one of that link (link-lifecycle 8). `andThen` is the last statement of the
 * transaction.
 * @throws InstitutionUnavailable, BoundReached, UserNotPermitted
 */
export async function createSession(
  ctx: Context,
  {
    lifetimes,
    tenant,
    session,
    andThen,
  }: {
    lifetimes: SessionLifetimes;
    tenant: Tenant;
    session: NewSession;
    andThen: AfterEffect<CreatedSession>;
  },
): Promise<CreatedSession> {
  const now = ctx.clock();
  const sessionId = makeId('session', ctx.random);
  const options = session.api?.options ?? null;
  const webhookFormat = session.api?.format ?? 'native';
  const token = makeSessionToken(ctx, 'link_session', {
    webhookFormat,
    environment: tenant.environment,
  });
  const { areReadable } = formatOf({ webhookFormat }).sessionTokens;
  const expiresAt = unopenedDeadline(
    now,
    options?.unopenedMs == null ? lifetimes : { ...lifetimes, unopenedMs: options.unopenedMs },
  );
  await ctx.database.transaction(async (tx) => {
    const whose =
      session.existingLinkId === null
        ? {
            customerUserPk: await storeCustomerUser(ctx, tx, tenant, session.customerUser),
            presetInstitutionId: session.presetInstitutionId,
            worldId: session.worldId,
          }
        : await inheritLink(ctx, tx, tenant, session.existingLinkId);
    if (session.usable !== undefined && whose.presetInstitutionId !== null)
      await requireAvailable(tx, session.usable, whose.presetInstitutionId);
    await tx.linkSession.create({
      data: {
        sessionId,
        appId: tenant.appId,
        environment: tenant.environment,
        clientId: session.clientId,
        ...whose,
        tokenHash: bytesColumn(sha256(token)),
        mode: session.mode,
        beganAs: session.mode,
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
        webhookFormat,
        options: asNullableJson(options),
        sealedLinkToken: areReadable
          ? await sealSessionToken(ctx, tx, sessionId, 'sealed_link_token', token)
          : null,
        state: 'created',
        expiresAt,
        createdAt: now,
      },
    });
    takeRoom(ctx, tx, tenant, {
      sessions: 1,
      ...(session.sandboxData === undefined || session.sandboxData === null
        ? {}
        : { imported_bytes: Buffer.byteLength(JSON.stringify(session.sandboxData)) }),
    });
    // The link itself takes its place when the user signs in.
    if (session.mode === 'link') needRoom(ctx, tx, tenant, { links: 1 });
    await andThen(tx, { sessionId, token, expiresAt });
  });
  return { sessionId, token, expiresAt };
}

/** Takes over the existing link, and returns the facts that the session inherits from it. */
async function inheritLink(ctx: Context, tx: Tx, tenant: Tenant, linkId: string) {
  await takeOverLink(ctx, tx, linkId);
  const link = await tx.link.findFirst({ where: { AND: [{ linkId }, permittedLinks(tenant)] } });
  if (link === null) throw new Error(`unknown link ${linkId}`);
  const { customerUserPk, institutionId, worldId } = link;
  return {
    linkPk: link.pk,
    customerUserPk,
    presetInstitutionId: institutionId,
    institutionId,
    worldId,
  };
}
