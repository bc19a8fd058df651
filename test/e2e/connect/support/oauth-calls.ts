import { randomUUID } from 'node:crypto';
import type { ApiResponse, ApiClient } from '../../../support/services/api-client.js';
import { OAUTH_BANK } from '../../../support/services/row-steps.js';
import { openSession, type OpenedSession } from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';
import { storedRows } from '../../../support/assertions/stored-rows.js';

export const REDIRECT_URI = 'https://app.example/bank-return';
export const ISSUER = 'https://bank.example';
export const invalid = 'connect_error.invalid_input';
export const stateInvalid = {
  status: 422,
  code: 'connect_error.oauth_state_invalid',
  locations: [],
};

export { service } from '../../../support/services/api-of-file.js';
/** The states, ids of states and tokens of the visits in the file. */
let secrets: Set<string>;

/** Starts an API for the file, whose log must contain no secret of its visits. */
export function startOAuthCalls(settings: Record<string, string> = {}): void {
  apiOfFile({ BASE_URL: 'https://api.example', ...settings });
  beforeAll(() => {
    secrets = new Set(['canary']);
  });

  afterAll(() => {
    const log = service.log();
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
  });
}

export interface Started {
  authorize_url: string;
  state_hash: string;
  expires_at: string;
  view: { seq: number; step: { kind: string; started: boolean } };
}

/** A Connect user before or at the bank. */
export class Visit {
  seq = 0;
  state = '';

  private constructor(
    readonly session: OpenedSession,
    readonly connect: ApiClient,
  ) {}

  static async offered(request: Record<string, unknown> = {}): Promise<Visit> {
    const session = await openSession(service, token, { redirect_uri: REDIRECT_URI, ...request });
    const visit = new Visit(session, service.api.as(session.connectToken));
    const { body } = await visit.step(
      { kind: 'select_institution', institution_id: OAUTH_BANK },
      session.seq,
    );
    visit.seq = (body as { seq: number }).seq;
    secrets.add(session.linkSessionToken).add(session.connectToken);
    return visit;
  }

  static async started(request: Record<string, unknown> = {}): Promise<Visit> {
    const visit = await Visit.offered(request);
    visit.know(await visit.start());
    return visit;
  }

  /** The user has returned to the app's page; `address` is that of the page. */
  static async returned(
    request: Record<string, unknown> = {},
  ): Promise<Visit & { address: string }> {
    const visit = await Visit.started(request);
    const { headers } = await callback(visit.approval());
    return Object.assign(visit, { address: headers.get('location') ?? '' });
  }

  step(input: unknown, seq = this.seq) {
    return this.connect.post('/connect/api/session/step', {
      json: { seq, request_id: randomUUID(), input },
    });
  }

  start(fields: Record<string, unknown> = {}, requestId: string = randomUUID()) {
    return this.connect.post('/connect/api/session/oauth/start', {
      json: { seq: this.seq, request_id: requestId, window: 'popup', ...fields },
    });
  }

  know({ body }: ApiResponse): void {
    const started = body as Started;
    this.seq = started.view.seq;
    this.state = new URL(started.authorize_url).searchParams.get('state') ?? '';
    secrets.add(this.state);
  }

  approval(changes: Record<string, string | null> = {}): URLSearchParams {
    const query = new URLSearchParams({
      state: this.state,
      code: 'canary-code-of-the-bank',
      iss: ISSUER,
    });
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return query;
  }

  bring(address: string, connect = this.connect) {
    return connect.post('/connect/api/session/oauth/return', {
      json: { request_id: randomUUID(), url: address },
    });
  }
}

export async function callback(
  query: URLSearchParams | string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(`${service.api.baseUrl}/connect/oauth/callback?${query}`, {
    redirect: 'manual',
    ...init,
  });
  const [, stateId] = response.headers.get('location')?.split('oauth_state_id=') ?? [];
  if (stateId !== undefined) secrets.add(stateId);
  return response;
}

export async function resume(
  address: string,
  fields: Record<string, unknown> = {},
): Promise<ApiResponse> {
  const response = await service.api.post('/connect/api/session/resume', {
    json: {
      url: address,
      request_id: randomUUID(),
      origin: 'https://app.example',
      platform: 'web',
      ...fields,
    },
  });
  const { connect_token: connectToken } = response.body as { connect_token?: string };
  if (connectToken !== undefined) secrets.add(connectToken);
  return response;
}

export async function changesNothing<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await storedRows(service.database.pool);
  const response = await attempt();
  expect(await storedRows(service.database.pool)).toEqual(before);
  return response;
}
