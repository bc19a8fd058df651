import { randomUUID } from 'node:crypto';
import { SessionTimeRepository } from '../../../../prisma/work/linking/session-time.repository.js';
import type { ApiResponse } from '../../../support/services/api-client.js';
import { BANK } from '../../../support/services/api-in-process.js';
import { service, token } from '../../../support/services/api-of-file.js';

export const HOOK = 'https://app.example/hook';
export const RETURN = 'https://app.example/done';

export interface Created {
  link_session_token: string;
  session_id: string;
  expires_at: string;
  hosted_url: string | null;
}
interface Session {
  state: string;
  outcome: string | null;
  link_id: string | null;
  created_at: string;
  opened_at: string | null;
  exchangeable_token: string | null;
}
export interface Page {
  post(path: string, json?: object): Promise<ApiResponse>;
  seq: number;
}

export const create = (fields: object = {}): Promise<ApiResponse> =>
  service.api.as(token).post('/link-session', {
    json: { customer_user: { id: 'user-4711' }, webhook: HOOK, hosted: {}, ...fields },
  });
export const created = async (fields: object = {}) => {
  const response = await create(fields);
  if (response.status !== 201) throw new Error(`${response.status}: ${response.text}`);
  return response.body as Created;
};
export const read = async (id: string, bearer = token) =>
  service.api.as(bearer).get(`/link-sessions/${id}`);
export const session = async (id: string) => (await read(id)).body as Session;

export const openCall = ({ link_session_token: sessionToken }: Created) =>
  service.api.post('/connect/api/session/open', {
    json: {
      link_session_token: sessionToken,
      request_id: randomUUID(),
      origin: new URL(service.connectBaseUrl).origin,
      platform: 'web',
      sdk: { name: 'hosted', version: '0.1.0' },
    },
  });

/** The hosted page, as a browser runs it. */
export async function open(from: Created): Promise<Page> {
  const { body } = await openCall(from);
  const { connect_token: connectToken, seq } = body as { connect_token: string; seq: number };
  return {
    seq,
    post: (path, json = {}) =>
      service.api.as(connectToken).post(`/connect/api/session${path}`, {
        json: { request_id: randomUUID(), ...json },
      }),
  };
}
export const signIn = ({ post, seq }: Page) =>
  post('/step', { seq, input: { kind: 'select_institution', institution_id: BANK } });
export const leave = ({ post }: Page) => post('/exit', { reason: 'user_closed' });
export const exchange = (exchangeableToken: string | null) =>
  service.api
    .as(token)
    .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });

/** Lets the time of the session pass, as the sweeper notices it. */
export async function expire({ session_id: sessionId }: Created): Promise<void> {
  await service.database.prisma.linkSession.update({
    where: { sessionId },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  await new SessionTimeRepository(service.ctx).expireIfDue(sessionId);
}

/** The ends of a session in the event log, oldest first. */
export async function ends({ session_id: sessionId }: Created) {
  const { body } = await service.api
    .as(token)
    .get('/webhooks/events?webhook_event=link_session.finished&limit=500');
  const { events } = body as {
    events: { event_id: string; link_id: string; status: string; body: Record<string, unknown> }[];
  };
  return events.filter(({ body: sent }) => sent['session_id'] === sessionId);
}
export const outcomes = async (from: Created) =>
  (await ends(from)).map(({ body: sent }) => sent['outcome']);
