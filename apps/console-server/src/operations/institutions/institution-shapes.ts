import { z } from 'zod';
import type { Environment } from '../../../../../domain/api/environment.js';
import type { JudgedRoute } from '../../../../../domain/institutions/route-choice.js';
import { readReason } from '../../../../operator/src/reason-option.js';
import { id } from '../app-input.js';
import { readBy } from '../read-by.js';

/** `unknown`: no recent call. */
export type CallHealth = 'operational' | 'degraded' | 'down' | 'unknown';

/** The recent calls through one route. */
export interface ShownRoute {
  provider: string;
  login: CallHealth;
  refresh: CallHealth;
  /** The last call of the worse of them that succeeded; null = none is known. */
  since: string | null;
  /** The cause of its last failure; null = it is operational or unknown. */
  cause: string | null;
  /** The state that the source itself reports. */
  reported: 'operational' | 'degraded' | 'down';
  /** The server of the bank did not respond to the last check of the configuration. */
  is_unreachable: boolean;
  /** Scheduled refreshes of all banks of the provider are paused. */
  paused: ShownPause | null;
}

/** A pause of scheduled refreshes; requests of apps continue. */
export interface ShownPause {
  scope: 'institution' | 'provider';
  /** Null = until it is resumed. */
  until: string | null;
  /** From the record of operators; null = it is not known. */
  by: string | null;
  reason: string | null;
}

export interface ShownBank {
  institution_id: string;
  name: string;
  country: string;
  environment: Environment;
  /** An operator hid it: it is not offered, but its links keep working. */
  is_hidden: boolean;
  /** The best first. */
  routes: ShownRoute[];
  paused: ShownPause | null;
}

/**
 * `name`: names that contain or resemble it, at most 50, without another page. `health=bad`: those with a route whose
 * calls fail now; a page may hold fewer than there are, even none.
 */
export const BankListInput = z.object({
  name: z.string().max(200).optional(),
  health: z.enum(['bad']).optional(),
  cursor: id.optional(),
});

/** `GET /instance/banks`: 50 by their ids. */
export interface BankPage {
  banks: ShownBank[];
  next_cursor: string | null;
  /** More names resemble the text than are shown. */
  is_cut: boolean;
}

export const BankInput = z.object({ institution_id: id });

/** A route as `routes explain` shows it, for a new login without preference. */
export interface ExplainedRoute {
  provider: string;
  verdict: JudgedRoute['verdict'];
  reason: JudgedRoute['reason'];
  /** The reason as a sentence. */
  why: string;
  login: string;
  products: string[];
  health: string;
  preferred: boolean;
  last_ok_at: string | null;
  last_cause: string | null;
}

/** `GET /instance/banks/:institution_id`. */
export interface BankDetail extends ShownBank {
  explained: ExplainedRoute[];
}

/** `until` in ISO 8601 with `Z`; missing = until it is resumed. */
export const BankPause = z.object({
  institution_id: id,
  until: z.iso.datetime().optional(),
  reason: readBy(readReason).optional(),
});
export const BankResumption = z.object({
  institution_id: id,
  reason: readBy(readReason).optional(),
});

/** The answer of `POST /instance/banks/:institution_id/pause` and `/resume`, and of those of providers. */
export interface ChangedSchedule {
  paused: boolean;
  /** Null = not paused, or until it is resumed. */
  paused_until: string | null;
}
