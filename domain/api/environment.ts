import type { PairShare } from '../limits/pair-share.js';

/** Determined only by the key pair that authenticates a request. Source: native-api 1. */
export const ENVIRONMENTS = ['sandbox', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/**
 * The users, by the app's own ids, or the links that a key pair is limited to. Everything else of
 * its app and environment does not exist for it. Source: native-api 3.1.
 */
export type Restriction = { users: readonly string[] } | { links: readonly string[] };

/** The owner of a row: every lookup of a link, session, event or user is scoped by it. */
export interface Tenant {
  appId: string;
  environment: Environment;
  /** The rows that the caller may reach; missing = all. */
  only?: Restriction | undefined;
  /** The part of the app's limits that the caller may take; missing = all of them. */
  share?: PairShare | undefined;
  /** Its calls are those of people at the console, who take nothing of the limits of the app. */
  isConsole?: boolean | undefined;
}
