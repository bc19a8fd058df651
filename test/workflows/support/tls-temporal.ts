import {
  connect,
  constants,
  createSecureServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A Temporal frontend with TLS, in front of the server of the test run. */
export interface TlsTemporal {
  address: string;
  /** The `authorization` headers that it has accepted. */
  readonly accepted: readonly string[];
  /** From now on only this key is accepted. */
  requireKey(key: string): void;
  close(): Promise<void>;
}

const GRPC_UNAUTHENTICATED = '16';

export async function startTlsTemporal(
  address: string,
  tls: SecureServerOptions,
): Promise<TlsTemporal> {
  const sessions = new Set<{ destroy(): void }>();
  const accepted: string[] = [];
  let requiredKey: string | undefined;
  const server = createSecureServer(tls);
  server.on('session', (session) => {
    const upstream = connect(`http://${address}`);
    for (const end of [session, upstream]) {
      sessions.add(end);
      end.on('error', () => undefined);
    }
    session.once('close', () => upstream.destroy());
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const { authorization } = headers;
      if (requiredKey !== undefined && authorization !== `Bearer ${requiredKey}`)
        return refuse(stream);
      if (authorization !== undefined) accepted.push(authorization);
      forward(stream, headers, upstream);
    });
  });
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted,
    requireKey: (key) => (requiredKey = key),
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refuse = (stream: ServerHttp2Stream): void =>
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': GRPC_UNAUTHENTICATED,
      'grpc-message': 'Request unauthorized.',
    },
    { endStream: true },
  );

function forward(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  upstream: ClientHttp2Session,
): void {
  // The server of the test run accepts no credentials.
  const { authorization: _key, ...rest } = headers;
  const request = upstream.request({ ...rest, ':scheme': 'http' });
  let trailers: IncomingHttpHeaders = {};
  request.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  request.on('trailers', (received) => (trailers = received));
  request.on('response', (response, flags) => {
    if (stream.destroyed) return;
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(response, endStream ? { endStream } : { waitForTrailers: true });
    if (endStream) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    request.pipe(stream);
  });
  stream.on('close', () => request.close());
  stream.pipe(request);
}
