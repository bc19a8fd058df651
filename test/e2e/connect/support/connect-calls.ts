import { randomUUID } from 'node:crypto';
import type { ApiResponse, ApiClient } from '../../../support/services/api-client.js';
import {
  BANK,
  openSession,
  type ApiInProcess,
  type OpenedSession,
} from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';

export { service, token } from '../../../support/services/api-of-file.js';
export let session: OpenedSession;
export let connect: ApiClient;

/** Starts an API, and opens a session of Connect for each test. */
export function startConnectCalls(): void {
  apiOfFile();
  beforeEach(async () => {
    session = await openSession(service, token);
    connect = service.api.as(session.connectToken);
  });
}

export const invalid = 'connect_error.invalid_input';
export const select = (institutionId = BANK) => ({
  kind: 'select_institution',
  institution_id: institutionId,
});
export const open = (fields: Record<string, unknown>) =>
  service.api.post('/connect/api/session/open', {
    json: { request_id: randomUUID(), origin: null, platform: 'ios', ...fields },
  });
export const step = (input: unknown, seq = session.seq, requestId: string = randomUUID()) =>
  connect.post('/connect/api/session/step', { json: { seq, request_id: requestId, input } });
export const finish = (requestId: string = randomUUID()) =>
  connect.post('/connect/api/session/finish', { json: { request_id: requestId } });
export const exit = (reason = 'user_closed') =>
  connect.post('/connect/api/session/exit', { json: { request_id: randomUUID(), reason } });
export const viewOf = ({ body }: ApiResponse) =>
  body as { seq: number; step: { kind: string }; connect_token?: string };
export const set = (
  data: Parameters<ApiInProcess['database']['prisma']['linkSession']['update']>[0]['data'],
) => service.database.prisma.linkSession.update({ where: { sessionId: session.sessionId }, data });
