import { randomUUID } from 'node:crypto';
import { retryUnavailable } from './retry-unavailable.js';
import { eventually } from '../assertions/eventually.js';
import { ApiClient } from '../services/api-client.js';
import type { KeyPair } from '../services/standalone.js';
import type {
  ErrorBody,
  ExchangeResponse,
  LinkBody,
  SessionResponse,
  SessionResult,
  SyncPage,
  View,
} from './response-bodies.js';

export const INSTANT_BANK = 'sandbox-instant-bank';

export interface CallResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface CallOptions {
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string;
  headers?: Record<string, string>;
  bearer?: string | null;
}

/** Restarting a process takes time. A call that takes longer than this has been lost. */
const CALL_WITHIN_MS = 60_000;

/** No promise either: a bank that is slower has failed its test. */
const SETTLES_WITHIN_MS = 110_000;

export async function call<T = ErrorBody>(
  baseUrl: string,
  method: string,
  path: string,
  { body, rawBody, headers = {}, bearer = null }: CallOptions = {},
): Promise<CallResponse<T>> {
  const answer = await new ApiClient(baseUrl, bearer).send(method, path, {
    json: body,
    raw: rawBody,
    headers: rawBody === undefined ? headers : { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(CALL_WITHIN_MS),
  });
  return { status: answer.status, headers: answer.headers, body: (answer.body ?? null) as T };
}

/** Expects a success: returns the body, or throws an error that shows the response. */
export async function expectStatus<T>(
  status: number,
  answer: Promise<CallResponse<T>>,
): Promise<T> {
  const { status: given, body } = await answer;
  if (given !== status)
    throw new Error(`expected ${status}, got ${given}: ${JSON.stringify(body)}`);
  return body;
}

/** The back end of an app, with one of its key pairs. */
export class AppBackEnd {
  private token: Promise<string> | null = null;

  constructor(
    readonly baseUrl: string,
    readonly pair: KeyPair,
  ) {}

  async fetchToken(
    scope?: string,
  ): Promise<CallResponse<{ access_token: string; token_type: string; expires_in: number }>> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...this.pair,
      ...(scope === undefined ? {} : { scope }),
    });
    return call(this.baseUrl, 'POST', '/auth/token', {
      rawBody: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  }

  /** Fetched once, on first use. */
  accessToken(): Promise<string> {
    this.token ??= expectStatus(201, this.fetchToken()).then(({ access_token }) => access_token);
    return this.token;
  }

  async call<T = ErrorBody>(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<CallResponse<T>> {
    return call<T>(this.baseUrl, method, path, { bearer: await this.accessToken(), ...options });
  }

  get<T>(path: string): Promise<T> {
    return expectStatus(
      200,
      retryUnavailable(() => this.call<T>('GET', path)),
    );
  }

  /** Creates a session that prefetches transactions by default; for an existing link, of its user. */
  async createSession(fields: Record<string, unknown> = {}): Promise<SessionResponse> {
    const { existing_link_id: linkId } = fields;
    const owner = typeof linkId === 'string' ? await this.link(linkId) : null;
    const body = {
      customer_user: { id: 'user-1' },
      products_settings: { transactions: { required: true, prefetch: true } },
      ...fields,
      ...(owner === null ? {} : { customer_user: { id: owner.customer_user_id } }),
    };
    return expectStatus(201, this.call<SessionResponse>('POST', '/link-session', { body }));
  }

  exchange(
    token: string,
    fields: { expected_customer_user_id?: string } = {},
  ): Promise<CallResponse<ExchangeResponse & ErrorBody>> {
    return this.call('POST', '/link-session/exchange-token', {
      body: { exchangeable_token: token, ...fields },
    });
  }

  link(linkId: string): Promise<LinkBody> {
    return this.get(`/links/${linkId}`);
  }

  /** Waits until a product was fetched. */
  untilRefreshed(linkId: string, product: string): Promise<LinkBody> {
    return eventually(async () => {
      const link = await this.link(linkId);
      const state = link.products[product];
      if (state?.refreshed_at === null || state === undefined)
        throw new Error(`${product} of ${linkId} is not refreshed: ${JSON.stringify(link)}`);
      return link;
    });
  }

  /** Waits until the whole history is stored, which arrives in a second pass. */
  untilHistory(linkId: string): Promise<LinkBody> {
    return eventually(async () => {
      const link = await this.link(linkId);
      if (link.products['transactions']?.has_history !== true)
        throw new Error(`the history of ${linkId} is not complete: ${JSON.stringify(link)}`);
      return link;
    });
  }

  /** Follows the cursor until there are no more pages. */
  async walk(
    linkId: string,
    { cursor = '', size = 50 } = {},
  ): Promise<{ pages: SyncPage[]; cursor: string }> {
    const pages: SyncPage[] = [];
    let next = cursor;
    for (;;) {
      const page = await this.get<SyncPage>(
        `/links/${linkId}/transactions/sync?size=${size}&cursor=${encodeURIComponent(next)}`,
      );
      pages.push(page);
      next = page.cursor.next;
      if (!page.has_more) return { pages, cursor: next };
    }
  }
}

/** The user agent of every visitor. */
export const USER_AGENT = 'Visitor (canary-of-a-browser)';

/** The front end of one session: acts as the Connect app does for an end user. */
export class ConnectVisit {
  private constructor(
    readonly baseUrl: string,
    readonly connectToken: string,
    public view: View,
  ) {}

  static openCall(
    baseUrl: string,
    linkSessionToken: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<CallResponse<View & ErrorBody & { connect_token: string }>> {
    const body = {
      link_session_token: linkSessionToken,
      origin: null,
      platform: 'web',
      device: 'desktop',
      locale: 'en',
      sdk: { name: 'connect-js', version: '0.1.0' },
      request_id: randomUUID(),
      ...fields,
    };
    return call(baseUrl, 'POST', '/connect/api/session/open', {
      body,
      headers: { 'user-agent': USER_AGENT, ...headers },
    });
  }

  static async open(
    baseUrl: string,
    linkSessionToken: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<ConnectVisit> {
    const requestId = randomUUID();
    const once = { request_id: requestId, ...fields };
    const { connect_token: connectToken, ...view } = await expectStatus(
      200,
      retryUnavailable(() => ConnectVisit.openCall(baseUrl, linkSessionToken, once, headers)),
    );
    return new ConnectVisit(baseUrl, connectToken, view);
  }

  /**
   * Resumes in a window that knows only the return address of the bank's login, and optionally the
   * token.
   */
  static resumeCall(
    baseUrl: string,
    url: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<CallResponse<View & ErrorBody & { connect_token: string }>> {
    return call(baseUrl, 'POST', '/connect/api/session/resume', {
      body: { url, origin: null, platform: 'web', request_id: randomUUID(), ...fields },
      headers,
    });
  }

  /** The window that received the answer of `openCall` or `resumeCall`. */
  static of(
    baseUrl: string,
    { connect_token: connectToken, ...view }: View & { connect_token: string },
  ): ConnectVisit {
    return new ConnectVisit(baseUrl, connectToken, view);
  }

  static async resume(
    baseUrl: string,
    url: string,
    fields: Record<string, unknown> = {},
  ): Promise<ConnectVisit> {
    const { connect_token: connectToken, ...view } = await expectStatus(
      200,
      ConnectVisit.resumeCall(baseUrl, url, fields),
    );
    return new ConnectVisit(baseUrl, connectToken, view);
  }

  call<T = View & ErrorBody>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<CallResponse<T>> {
    return call<T>(this.baseUrl, method, `/connect/api${path}`, {
      bearer: this.connectToken,
      body,
    });
  }

  /** Answers the current step; pass `seq` or `request_id` to misbehave. */
  submit(
    input: unknown,
    { seq = this.view.seq, requestId = randomUUID() as string } = {},
  ): Promise<CallResponse<View & ErrorBody>> {
    return this.call('POST', '/session/step', { seq, request_id: requestId, input });
  }

  /** Answers the step and continues until the next one that requires the user. */
  async answer(input: unknown): Promise<View> {
    const requestId = randomUUID();
    this.view = await expectStatus(
      200,
      retryUnavailable(() => this.submit(input, { requestId })),
    );
    return this.settle();
  }

  /**
   * connect 5, rule 5: the client polls while the step is `wait`. A busy service may show the
   * answered step again until there is a later one.
   */
  async settle(): Promise<View> {
    const deadline = Date.now() + SETTLES_WITHIN_MS;
    for (let waited: number | null = null; ; await this.poll(2)) {
      if (this.view.step.kind === 'wait') waited = this.view.seq;
      else if (this.view.seq !== waited) return this.view;
      if (Date.now() > deadline) throw new Error(`still waiting: ${JSON.stringify(this.view)}`);
    }
  }

  /**
   * Chooses the bank, unless the session names it. On a busy computer the first step of a session
   * is a `wait`, too.
   */
  async choose(institutionId: string): Promise<View> {
    const { step } = await this.settle();
    return step.kind === 'select_institution' ? this.select(institutionId) : this.view;
  }

  async poll(waitSeconds = 0, afterSeq = this.view.seq): Promise<View> {
    this.view = await expectStatus(
      200,
      retryUnavailable(() =>
        this.call<View>('GET', `/session?after_seq=${afterSeq}&wait=${waitSeconds}`),
      ),
    );
    return this.view;
  }

  select(institutionId = INSTANT_BANK): Promise<View> {
    return this.answer({ kind: 'select_institution', institution_id: institutionId });
  }

  finishCall(requestId: string = randomUUID()): Promise<CallResponse<SessionResult & ErrorBody>> {
    return this.call('POST', '/session/finish', { request_id: requestId });
  }

  finish(requestId: string = randomUUID()): Promise<SessionResult> {
    return expectStatus(
      200,
      retryUnavailable(() => this.finishCall(requestId)),
    );
  }

  exit(reason = 'user_closed'): Promise<CallResponse<{ closed: boolean } & ErrorBody>> {
    return this.call('POST', '/session/exit', { request_id: randomUUID(), reason });
  }
}
