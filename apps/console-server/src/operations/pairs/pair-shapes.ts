import { z } from 'zod';
import type { Environment } from '../../../../../domain/api/environment.js';
import { SCOPES, type Scope } from '../../../../../domain/api/scopes.js';
import type { BoundName } from '../../../../../domain/limits/app-bounds.js';
import { label, overlap } from '../../../../operator/src/option-parsers.js';
import { readReason } from '../../../../operator/src/reason-option.js';
import { APP_INPUT, id } from '../app-input.js';
import { readBy } from '../read-by.js';

/** A secret of a key pair, without its value. */
export interface ShownSecret {
  secret_id: string;
  label: string | null;
  created_at: string;
  /** Null = it works until it is ended. */
  ends_at: string | null;
  /** Tokens issued for it are refused from then on. */
  tokens_ended_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
}

/** A key pair of an app. */
export interface ShownPair {
  client_id: string;
  environment: Environment;
  label: string | null;
  /** Null = all. */
  scopes: Scope[] | null;
  /** The number of users or links that it is limited to; null = it reaches all. */
  restriction: { users: number } | { links: number } | null;
  share_percent: number;
  /** Use of its share of each daily bound since 00:00 UTC; empty = none, or no share of its own. */
  used_today: { name: BoundName; used: number; limit: number }[];
  live_limit: number;
  created_at: string;
  ends_at: string | null;
  disabled_at: string | null;
  last_used_at: string | null;
  /** The newest 25, newest first. */
  secrets: ShownSecret[];
  /** It has older secrets. */
  has_more_secrets: boolean;
}

export const PairListInput = z.object({ ...APP_INPUT, cursor: id.optional() });

/** `GET /apps/:app/:env/pairs`: up to 200, the oldest of a page first. */
export interface PairPage {
  pairs: ShownPair[];
  next_cursor: string | null;
}

/** `ends_at` in ISO 8601 with `Z`. */
export const PairCreation = z.object({
  ...APP_INPUT,
  label: readBy(label).optional(),
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  ends_at: z.iso.datetime().optional(),
  share_percent: z.int().min(1).max(100).optional(),
});

/** `POST /apps/:app/:env/pairs`. The secret is shown here alone. */
export interface CreatedPair {
  client_id: string;
  client_secret: string;
}

/** `overlap`: a duration such as `24h`; missing = the other secrets end now. */
export const SecretRotation = z.object({
  ...APP_INPUT,
  client_id: id,
  overlap: readBy(overlap).optional(),
  label: readBy(label).optional(),
});

/** `POST /apps/:app/:env/pairs/:client_id/rotate`. The secret is shown here alone. */
export interface RotatedSecret {
  secret_id: string;
  client_secret: string;
  /** The end of the last other secret; null = they work no more. */
  others_end_at: string | null;
}

/** `simplefin`: also revoke the SimpleFIN tokens that it created. */
export const PairDisabling = z.object({
  ...APP_INPUT,
  client_id: id,
  reason: readBy(readReason).optional(),
  simplefin: z.boolean().optional(),
});

/** `POST /apps/:app/:env/pairs/:client_id/disable`. */
export interface DisabledPair {
  client_id: string;
  disabled_at: string | null;
  simplefin_tokens_revoked: number;
  /** Tokens that it created and that continue. */
  simplefin_tokens_left: number;
}

export const PairEnabling = z.object({ ...APP_INPUT, client_id: id });

/** `POST /apps/:app/:env/pairs/:client_id/enable`. */
export interface EnabledPair {
  client_id: string;
  disabled_at: null;
  /** It works only until then, even if that is past. */
  ends_at: string | null;
}

/** `tokens`: also end the tokens that were issued for it. */
export const SecretEnd = z.object({
  ...APP_INPUT,
  client_id: id,
  secret_id: id,
  tokens: z.boolean().optional(),
});
/** The answer of `POST /apps/:app/:env/pairs/:client_id/secrets/:secret_id/end` is the ended secret. */
export type EndedSecret = ShownSecret;
