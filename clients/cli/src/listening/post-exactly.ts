import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ListenedDelivery } from '@tributary/node';
import type { Outcome } from './outcome.js';

/** webhooks 7 and 8.2: the limits of the sender. */
const TIMEOUT_MS = 15_000;
const MAX_READ = 16 * 1_024;
const EXCERPT_BYTES = 512;

/** Makes the request as the service would: these headers and bytes, and no redirect is followed. */
export function postExactly(
  target: URL,
  { headers, body }: Pick<ListenedDelivery, 'headers' | 'body'>,
): Promise<Outcome> {
  const bytes = Buffer.from(body, 'utf8');
  const start = performance.now();
  const after = () => Math.round(performance.now() - start);
  return new Promise((resolve) => {
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.length) },
      agent: false,
    });
    const fail = (error: Outcome['error']) =>
      resolve({ http_status: null, error, duration_ms: after(), response_excerpt: null });
    const timer = setTimeout(() => {
      fail('timeout');
      request.destroy();
    }, TIMEOUT_MS);
    request.on('response', (response) => {
      const duration = after();
      void excerptOf(response).then((excerpt) => {
        clearTimeout(timer);
        request.destroy();
        resolve({
          http_status: response.statusCode ?? null,
          error: null,
          duration_ms: duration,
          response_excerpt: excerpt,
        });
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(isOfTls(error) ? 'tls' : 'connect');
    });
    request.end(bytes);
  });
}

/** The beginning of the body; null without one. A body that breaks off is as good as one that ends. */
async function excerptOf(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      read += chunk.length;
      if (read > MAX_READ) break;
    }
  } catch {
    // The status has arrived.
  }
  if (read === 0) return null;
  const text = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8');
  // The API stores no U+0000.
  return text.replaceAll('\0', '\uFFFD');
}

function isOfTls({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code) ||
    /\bSSL\b/.test(message)
  );
}
