import { ConnectVisit, type CallResponse } from '../../../support/actors/link-journey.js';
import type { ErrorBody, View } from '../../../support/actors/response-bodies.js';

type Opened = CallResponse<View & ErrorBody & { connect_token: string }>;

/**
 * The browser of one person, with the state that Connect keeps between windows: the token of the
 * SDK's tab and the cookie of the hosted page.
 */
export class PersonalBrowser {
  /** connect 9.2: the token of the newest flow of the tab. */
  keptToken: string | null = null;
  private cookies: string[] = [];

  constructor(
    private readonly baseUrl: string,
    private readonly connectBaseUrl: string,
  ) {}

  /** Opens Connect in a page of the app, whose SDK keeps the token. */
  async open(token: string): Promise<CallResponse<ErrorBody> | ConnectVisit> {
    this.keptToken = token;
    return this.visit(await ConnectVisit.openCall(this.baseUrl, token));
  }

  /** Opens the address of a hosted session. */
  async openHosted(token: string): Promise<CallResponse<ErrorBody> | ConnectVisit> {
    const page = { origin: new URL(this.connectBaseUrl).origin };
    return this.visit(await ConnectVisit.openCall(this.baseUrl, token, page, this.headers()));
  }

  /** Opens the page that a bank redirects to: the app's, or the hosted one by its address. */
  async land(
    address: string,
    { brings = this.keptToken }: { brings?: string | null } = {},
  ): Promise<CallResponse<ErrorBody> | ConnectVisit> {
    const isHosted = address.startsWith(`${this.connectBaseUrl}/hosted`);
    const fields = isHosted
      ? { origin: new URL(this.connectBaseUrl).origin }
      : brings === null
        ? {}
        : { link_session_token: brings };
    return this.visit(
      await ConnectVisit.resumeCall(this.baseUrl, address, fields, isHosted ? this.headers() : {}),
    );
  }

  private headers(): Record<string, string> {
    return this.cookies.length === 0 ? {} : { cookie: this.cookies.join('; ') };
  }

  private visit(opened: Opened): CallResponse<ErrorBody> | ConnectVisit {
    const cookies = opened.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    if (cookies.length > 0) this.cookies = cookies;
    return opened.status === 200 ? ConnectVisit.of(this.baseUrl, opened.body) : opened;
  }
}

/** The window that a call opened. @throws Error with the refusal */
export function opened(outcome: CallResponse<ErrorBody> | ConnectVisit): ConnectVisit {
  if (outcome instanceof ConnectVisit) return outcome;
  throw new Error(`refused with ${outcome.status}: ${JSON.stringify(outcome.body)}`);
}

/** The refusal of a call, as one row of a table. */
export function refusal(
  outcome: CallResponse<ErrorBody> | ConnectVisit,
): [number, string] | 'opened' {
  return outcome instanceof ConnectVisit ? 'opened' : [outcome.status, outcome.body.error_code];
}
