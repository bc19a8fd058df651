import { z } from 'zod';
import type { Environment } from '../../../../../domain/api/environment.js';
import { readReason } from '../../../../operator/src/reason-option.js';
import type { ShownPause } from '../institutions/institution-shapes.js';
import { id } from '../app-input.js';
import { readBy } from '../read-by.js';

/** One line of a check; a remedy beside `ok` is a warning. */
export interface CheckLine {
  what: string;
  ok: boolean;
  detail: string | null;
  remedy: string | null;
}

/** The current use of a quota that a source enforces. */
export interface ShownQuota {
  name: string;
  limit: number;
  /** Permissions or accounts with calls that count; 1 for a quota of the whole configuration. */
  counted_for: number;
  used_up: number;
  /** The calls that remain to the one with the fewest. */
  least_left: number;
  next_room_at: string;
}

export interface ShownProvider {
  name: string;
  adapter: string;
  /** Null = the built-in provider of the sandbox banks. */
  environment: Environment | null;
  /** `failing`: the last check did not succeed, for a reason other than the keys. */
  state: 'ok' | 'disabled' | 'broken' | 'unchecked' | 'failing' | 'built_in';
  check: { at: string; ok: boolean; lines: CheckLine[] } | null;
  credentials_end_at: string | null;
  /** Links with a permission through it, counted up to 1,000; 1,001 = more. */
  links: number;
  max_links: number | null;
  quotas: ShownQuota[];
  /** It has more use than was read: the numbers of `quotas` are of a part. `quotas show` reads all. */
  are_quotas_cut: boolean;
  paused: ShownPause | null;
}

export const ProviderListInput = z.object({});
/** `GET /instance/providers`. */
export type ProviderList = ShownProvider[];

/** `until` in ISO 8601 with `Z`; missing = until it is resumed. */
export const ProviderPause = z.object({
  name: id,
  until: z.iso.datetime().optional(),
  reason: readBy(readReason).optional(),
});
export const ProviderResumption = z.object({
  name: id,
  reason: readBy(readReason).optional(),
});
export const ProviderCheck = z.object({ name: id });

/** `POST /instance/providers/:name/check`; a check that did not succeed is a 409, and its lines are in the list. */
export interface CheckedProvider {
  name: string;
  ok: true;
  broken: boolean;
  credentials_end_at: string | null;
  lines: CheckLine[];
}
