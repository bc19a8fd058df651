import type { Environment } from '../api/environment.js';
import type { AnnouncedOutcome } from '../session/session-outcome.js';
import type { HappeningKind, HappeningOf } from './happening.js';

/** The facts that renderers need besides the happening. */
export interface RenderingFacts {
  /** Null unless the format lists the happening in `readsInstitution`. */
  institution: { isOAuth: boolean; country: string } | null;
  sha256: (text: string) => Uint8Array;
}

/**
 * Pure functions from a happening to the webhooks about it, in order. A happening without a
 * renderer sends no webhook.
 */
export type Renderers<Content> = {
  readonly [Kind in HappeningKind]?: (
    happening: HappeningOf<Kind>,
    facts: RenderingFacts,
  ) => readonly Content[];
};

/** The fields around the content in the body of a webhook. */
export interface Envelope {
  linkId: string;
  linkTags: readonly string[];
  environment: Environment;
  idempotencyKey: string;
  timestamp: Date;
}

/** The end of a hosted session, which its user may still revise by coming back. */
export interface SessionEnd {
  sessionId: string;
  environment: Environment;
  outcome: AnnouncedOutcome;
  wasOpened: boolean;
  /** The link it created, repaired or was to repair; null = there is none. */
  linkId: string | null;
  linkTags: readonly string[];
  /** Null = not readable. */
  linkToken: string | null;
  /** Null = there is none to exchange. */
  publicToken: string | null;
  idempotencyKey: string;
  timestamp: Date;
}

/** The webhook about the end of a hosted session. */
export interface SessionEndRenderer {
  name: string;
  /**
   * `sent`: the body where it holds tokens, which the log does not show; null = the shown one is
   * sent. A result of null announces nothing.
   */
  render(end: SessionEnd): { shown: string; sent: string | null } | null;
}

export type SessionTokenKind = 'link_session' | 'exchangeable';

/** The format of a session's tokens, and their lifetime. */
export interface SessionTokens {
  prefix(kind: SessionTokenKind, environment: Environment): string;
  /** The part after the prefix. */
  secret: 'random' | 'uuid';
  /** Clients may read the tokens of any session later, not only of a hosted one, so they are kept, sealed. */
  areReadable: boolean;
  /** A relink also ends with a token. */
  endRelinks: boolean;
  /**
   * An exchange can name the user who is signed in to the app, so a session that was resumed
   * without its token may continue and be confirmed. Otherwise it is not resumed.
   */
  nameTheUser: boolean;
}

/**
 * The differences between the APIs through which a link can be created. Content is stored as JSON
 * while it waits for the exchange.
 */
export interface ApiFormat<Content extends object = object> {
  renderers: Renderers<Content>;
  readsInstitution: readonly HappeningKind[];
  nameOf(content: Content): string;
  /** The exact bytes to send. */
  bodyOf(content: Content, envelope: Envelope): string;
  /**
   * The times before its end at which `permission_ending` happens, in milliseconds; `configured` =
   * those of the setting `PERMISSION_NOTICES`.
   */
  permissionNoticesMs: readonly number[] | 'configured';
  sessionEnd: SessionEndRenderer;
  sessionTokens: SessionTokens;
}
