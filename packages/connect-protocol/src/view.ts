import type { Device, Platform, SdkName } from './init.js';
import type {
  ConnectAccount,
  ConnectExitReason,
  ConnectInstitution,
  ConnectSuccess,
} from './payloads.js';
import type { Step } from './step.js';

export type Mode = ConnectSuccess['mode'];

/** An institution in the search and the View. Source: connect 4. */
export interface Institution extends ConnectInstitution {
  group: 'primary' | 'secondary' | 'tertiary';
  login: 'credentials' | 'oauth' | 'none';
  health: 'operational' | 'degraded' | 'down';
}

/** The current state of a session for Connect. Source: connect 4. */
export interface View {
  session_id: string;
  mode: Mode;
  environment: 'sandbox' | 'live';
  expires_at: string;
  seq: number;
  app: { name: string; logo_url: string | null };
  countries: string[];
  features: { connect_manually: boolean };
  /** Null also where the response does not repeat it. */
  theme: unknown;
  redirect_uri: string | null;
  institution: Institution | null;
  step: Step;
  /** The language the session was created for; most leave it to the page. */
  locale?: string;
}

export interface OpenedView extends View {
  connect_token: string;
}

/** The end of a session of the hosted page, which its user caused. Source: connect 4, "Reopening". */
export interface SessionEnd {
  session_id: string;
  outcome: 'linked' | 'relinked' | 'exited' | 'expired';
  app: View['app'];
  completion_redirect_uri: string | null;
}

/** A session of the hosted page that continues, or its end. */
export type ReopenedSession = { view: OpenedView; end: null } | { view: null; end: SessionEnd };

export interface InstitutionPage {
  institutions: Institution[];
  cursor: { next: string | null };
}

export interface OAuthStart {
  authorize_url: string;
  state_hash: string;
  expires_at: string;
  view: View;
}

/**
 * Result of finish; for a relink without a token. It is passed on unchanged, so members of other layers survive.
 * `completion_redirect_uri` is the address to which a hosted page sends the browser.
 */
export interface FinishResult {
  mode: Mode;
  session_id: string;
  institution: Institution;
  accounts: ConnectAccount[];
  exchangeable_token?: string;
  /** Replaces a finished relink: the app has to confirm it first (connect 7). */
  confirmation_token?: string;
  expires_in?: number;
  completion_redirect_uri?: string | null;
}

export interface OpenRequest {
  origin: string | null;
  platform: Platform;
  device: Device;
  locale: string;
  sdk: SdkName;
}

export type BankWindowKind = 'popup' | 'same' | 'system';
export type ExitCallReason = Exclude<ConnectExitReason, 'moved' | 'expired'>;
