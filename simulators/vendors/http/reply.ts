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
  constructor(readonly reply: Reply) {
    super(`Refused with ${reply.status}.`);
  }
}

export const redirectTo = (location: string): Reply => ({ status: 303, headers: { location } });

export const page = (html: string, status = 200): Reply => ({
  status,
  text: html,
  contentType: 'text/html; charset=utf-8',
  headers: {
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  },
});

const changes = new WeakMap<ServerResponse, (answer: unknown) => unknown>();

/** Changes the JSON that `send` sends with the status 200. */
export const changeAnswer = (
  response: ServerResponse,
  change: (answer: unknown) => unknown,
): void => void changes.set(response, change);

export function send(response: ServerResponse, reply: Reply): void {
  const { status, json, text, contentType = 'text/plain; charset=utf-8', headers = {} } = reply;
  const written = json === undefined ? text : JSON.stringify(json);
  const isJson = json !== undefined || contentType.startsWith('application/json');
  const change = status === 200 && isJson ? changes.get(response) : undefined;
  const body =
    change === undefined || written === undefined
      ? written
      : JSON.stringify(change(JSON.parse(written)));
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
