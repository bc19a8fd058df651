import type { ServerResponse } from 'node:http';

/** The response of a route: JSON, or a text of another type. */
export interface Reply {
  status: number;
  json?: unknown;
  text?: string;
  /** Of `text`; plain text by default. */
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Ends a route early with a reply. */
export class Refusal extends Error {
  constructor(
    readonly reply: Reply,
    message = `Refused with ${reply.status}.`,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const redirectTo = (location: string): Reply => ({
  status: 303,
  headers: { location, 'content-length': '0' },
});

export function send(response: ServerResponse, reply: Reply): void {
  const { status, json, text, contentType = 'text/plain; charset=utf-8', headers } = reply;
  const body = json === undefined ? text : JSON.stringify(json);
  const type = json === undefined ? contentType : 'application/json; charset=utf-8';
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...(body === undefined
      ? {}
      : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    ...headers,
  });
  response.end(body);
}
