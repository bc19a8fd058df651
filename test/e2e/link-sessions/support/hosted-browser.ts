import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../../../support/services/api-client.js';
import { service } from '../../../support/services/api-of-file.js';
import type { Created, Page } from './hosted-calls.js';

interface Call {
  fields?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/** A browser with hosted pages: it keeps the cookie that it gets, and sends it with each call. */
export class HostedBrowser {
  cookie: string | null = null;

  open({ link_session_token: sessionToken }: Created, call: Call = {}): Promise<ApiResponse> {
    return this.call('open', { link_session_token: sessionToken }, call);
  }

  reopen({ session_id: sessionId }: Pick<Created, 'session_id'>, call: Call = {}) {
    return this.call('reopen', { session_id: sessionId }, call);
  }

  private async call(name: string, proof: object, { fields = {}, headers = {} }: Call) {
    const response = await service.api.post(`/connect/api/session/${name}`, {
      json: {
        ...proof,
        request_id: randomUUID(),
        origin: new URL(service.connectBaseUrl).origin,
        platform: 'web',
        sdk: { name: 'hosted', version: '0.1.0' },
        ...fields,
      },
      headers: { ...(this.cookie === null ? {} : { cookie: this.cookie }), ...headers },
    });
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie;
    return response;
  }
}

/** The page that an opening, or the `view` of a reopening, belongs to. */
export function pageOf(opened: unknown): Page {
  const { connect_token: connectToken, seq } = opened as { connect_token: string; seq: number };
  return {
    seq,
    post: (path, json = {}) =>
      service.api.as(connectToken).post(`/connect/api/session${path}`, {
        json: { request_id: randomUUID(), ...json },
      }),
  };
}

export const viewOf = ({ body }: ApiResponse) => (body as { view: unknown }).view;
