import type { ComponentType, ReactNode } from 'react';
import type { OpenRequest } from '../../../../packages/connect-protocol/src/view.js';
import type { Reopened, SessionClient } from '../session/session-client.js';
import type { Texts } from '../texts/texts.js';
import type { Init } from './init-options.js';

/** The origin of a request to close the app: its end user, or the program around it. */
export type RequestedExitReason = 'user_closed' | 'programmatic';

/** Messages from the opener of the app, after init. */
export interface HostListener {
  onTheme(theme: unknown, appearance: unknown): void;
  onRequestExit(force: boolean, reason: RequestedExitReason): void;
  onBack(): void;
  onOAuthResult(result: { url: string } | { cancelled: true }): void;
}

/**
 * The opener of the app: an SDK in a page, an SDK around a WebView, or none (hosted page). Source:
 * connect 8.
 */
export interface Host {
  kind: 'frame' | 'webview' | 'page';
  /** Origin of the embedding page, or of the hosted page itself; null in a WebView. */
  origin: string | null;
  init: Init;
  /** The hosted page without a token. */
  reopen?(client: SessionClient, request: OpenRequest): Promise<Reopened>;
  /** The hosted page, once its session is open. */
  opened?(sessionId: string): void;
  /** The hosted page, before a session call. @returns whether this window runs the session */
  enter?(texts: Texts, render: (screen: ReactNode) => void): Promise<boolean>;
  /** The hosted page after its end, which no SDK removes. */
  Left?: ComponentType;
  post(type: string, payload?: object): void;
  listen(listener: HostListener): void;
}
