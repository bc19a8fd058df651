import type { Step } from '../../../domain/session/connect-step.js';
import type { Environment, Tenant } from '../../../domain/api/environment.js';
import type { RowPhase } from '../../../domain/session/session-phase.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import type { SessionState } from '../../../domain/session/session-outcome.js';
import type { SessionOptions } from '../../../domain/session/session-options.js';
import type { RequestedProducts } from '../../../domain/link/products.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Prisma } from '../../generated/client.js';
import type { SessionEnd } from './end-session.js';

export interface SessionRecord extends Tenant {
  sessionId: string;
  clientId: string;
  mode: 'link' | 'relink';
  /** The mode of its workflow. `mode` differs when the user turned a new link into a relink. */
  beganAs: 'link' | 'relink';
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
  /** The API that created it. */
  webhookFormat: WebhookFormat;
  /** Null = created by the native API for an SDK, or erased. */
  options: SessionOptions | null;
  tags: string[];
  worldId: string;
  expiresAt: Date;
  totalExpiresAt: Date | null;
  openedAt: Date | null;
  /** 0 before the first step was shown. */
  seq: number;
  step: Step | null;
  phase: RowPhase;
  stepsTaken: number;
  /** The institution of the current attempt. */
  institutionId: string | null;
  linkPk: bigint | null;
  linkId: string | null;
  bankAccepted: boolean;
  /** The window that resumed the session never presented the link_session_token, so no question may be skipped (connect 7). */
  resumedWithoutToken: boolean;
  /** The time at which its result took effect in a link; null = it did not. */
  succeededAt: Date | null;
  /** The step at which its user left; null = the user has not left, or is back, or options are null. */
  exit: SessionExit | null;
  /** The time at which its result was first returned to a window; null = not yet. */
  finishedAt: Date | null;
  /** SHA-256 of the cookie of the browser that opened it; null unless it belongs to the hosted page. */
  browserHash: Uint8Array | null;
  /** The call that bound that browser. */
  browserRequestId: string | null;
}

export const SESSION = {
  customerUser: true,
  link: { select: { linkId: true } },
} satisfies Prisma.LinkSessionInclude;
export type FoundSession = Prisma.LinkSessionGetPayload<{ include: typeof SESSION }>;

/** The session without the facts about the app. */
export function toSession(row: FoundSession): Omit<SessionRecord, 'app'> {
  return {
    sessionId: row.sessionId,
    appId: row.appId,
    environment: row.environment as Environment,
    clientId: row.clientId,
    mode: row.mode as SessionRecord['mode'],
    beganAs: row.beganAs as SessionRecord['beganAs'],
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
    webhookFormat: row.webhookFormat as WebhookFormat,
    options: row.options as SessionOptions | null,
    tags: row.tags,
    worldId: row.worldId,
    expiresAt: row.expiresAt,
    totalExpiresAt: row.totalExpiresAt,
    openedAt: row.openedAt,
    seq: row.seq,
    step: row.step as Step | null,
    phase: row.phase as RowPhase,
    stepsTaken: row.stepsTaken,
    institutionId: row.institutionId,
    linkPk: row.linkPk,
    linkId: row.link?.linkId ?? null,
    bankAccepted: row.bankAccepted,
    resumedWithoutToken: row.resumedWithoutToken,
    succeededAt: row.succeededAt,
    // Only noteExit and endSession write this column.
    exit: row.exit as SessionExit | null,
    finishedAt: row.finishedAt,
    browserHash: row.browserHash,
    browserRequestId: row.browserRequestId,
  };
}
