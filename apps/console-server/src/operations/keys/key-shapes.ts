import { z } from 'zod';

export const KeyListInput = z.object({});

/** A signing key of webhooks. */
export interface ShownSigningKey {
  set: string;
  key_id: string;
  /** `next`: published, but not signing yet; `previous`: published for signatures that it made; `retired`: not published. */
  state: 'next' | 'signing' | 'previous' | 'retired';
  created_at: string;
  signs_from: string;
  /** Null = not planned. */
  retired_at: string | null;
}

export interface ShownMasterKey {
  key_id: string;
  is_current: boolean;
  /** `missing` from MASTER_KEYS, or in it but never used. */
  place: 'current' | 'older' | 'unused' | 'missing';
  /** Values that it seals, each counted up to 1,000 (1,001 = more); `keys master list` counts all. */
  counts: { data_keys: number; signing_keys: number; cursor_keys: number };
  last_current_at: string | null;
}

/** `GET /instance/keys`. */
export interface KeyList {
  /** By set, the newest first. */
  signing: ShownSigningKey[];
  /** The current one first. */
  master: ShownMasterKey[];
}
