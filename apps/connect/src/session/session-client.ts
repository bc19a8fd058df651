import type { Send } from './send.js';
import type { StepInput } from '../../../../packages/connect-protocol/src/step.js';
import type {
  BankWindowKind,
  ExitCallReason,
  FinishResult,
  InstitutionPage,
  OAuthStart,
  OpenedView,
  OpenRequest,
  ReopenedSession,
  SessionEnd,
  View,
} from '../../../../packages/connect-protocol/src/view.js';

/** The session of a reloaded hosted page, or how it ended. */
export type Reopened = { view: View } | { view: null; end: SessionEnd };

/** The calls of one session; the connect_token is kept only here. Source: connect 4. */
export class SessionClient {
  private token: string | null = null;

  constructor(private readonly send: Send) {}

  open(linkSessionToken: string, request: OpenRequest): Promise<View> {
    return this.take('/session/open', { link_session_token: linkSessionToken, ...request });
  }

  async reopen(sessionId: string, request: OpenRequest): Promise<Reopened> {
    const { view, end }: ReopenedSession = await this.post('/session/reopen', {
      session_id: sessionId,
      ...request,
      request_id: newRequestId(),
    });
    return view === null ? { view, end } : { view: this.keep(view) };
  }

  resume(url: string, linkSessionToken: string | null, request: OpenRequest): Promise<View> {
    return this.take('/session/resume', {
      url,
      ...(linkSessionToken === null ? {} : { link_session_token: linkSessionToken }),
      ...request,
    });
  }

  current(afterSeq: number, waitSeconds: number, signal?: AbortSignal): Promise<View> {
    const query = new URLSearchParams({ after_seq: String(afterSeq), wait: String(waitSeconds) });
    return this.get(`/session?${query}`, signal);
  }

  search(q: string, cursor: string | null, signal: AbortSignal): Promise<InstitutionPage> {
    const query = new URLSearchParams({ q, limit: '20', ...(cursor === null ? {} : { cursor }) });
    return this.get(`/institutions?${query}`, signal);
  }

  answer(seq: number, input: StepInput): Promise<View> {
    return this.post('/session/step', { seq, request_id: newRequestId(), input });
  }

  /** More time for the current step. */
  extend(): Promise<View> {
    return this.post('/session/extend', { request_id: newRequestId() });
  }

  /**
   * @param requestId the same id again repeats the same start, even while the service works on it
   */
  startOAuth(seq: number, requestId: string, window: BankWindowKind): Promise<OAuthStart> {
    return this.post('/session/oauth/start', { seq, request_id: requestId, window });
  }

  returnOAuth(url: string): Promise<View> {
    return this.post('/session/oauth/return', { request_id: newRequestId(), url });
  }

  finish(): Promise<FinishResult> {
    return this.post('/session/finish', { request_id: newRequestId() });
  }

  async exit(reason: ExitCallReason): Promise<{ completion_redirect_uri?: string | null }> {
    if (this.token === null) return {};
    const body = { request_id: newRequestId(), reason };
    return this.post('/session/exit', body, true);
  }

  /** True once a window has opened the session: before that there is nothing to query. */
  get isOpen(): boolean {
    return this.token !== null;
  }

  private async take(path: string, body: Record<string, unknown>): Promise<View> {
    const sent = { ...body, request_id: newRequestId() };
    return this.keep(
      (await this.send({ method: 'POST', path, body: sent, token: null })) as OpenedView,
    );
  }

  private keep({ connect_token: token, ...view }: OpenedView): View {
    this.token = token;
    return view;
  }

  private async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    const { token } = this;
    const given = signal === undefined ? {} : { signal };
    return (await this.send({ method: 'GET', path, token, ...given })) as Answer;
  }

  private async post<Answer>(
    path: string,
    body: Record<string, unknown>,
    keepalive = false,
  ): Promise<Answer> {
    const { token } = this;
    return (await this.send({ method: 'POST', path, body, token, keepalive })) as Answer;
  }
}

/**
 * One per action of the user (connect 5.3). `crypto.randomUUID` exists only on secure origins,
 * which a test phone may not have.
 */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
