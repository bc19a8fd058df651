import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FuzzRequest } from './requests.js';

export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const RESPONSE_WITHIN_MS = 120_000;
const BUSY_TRIES = 4;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** On a busy computer a 503 is a legitimate response; a service that repeats it has a problem. */
export async function send(baseUrl: string, request: FuzzRequest): Promise<FuzzAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await sendOnce(baseUrl, request);
    if (answer.status !== 503 || tries === BUSY_TRIES) return answer;
    await sleep(Number(answer.headers['retry-after'] ?? 1) * 1_000);
  }
}

/** Sends the bytes unchanged. `fetch` would normalize the address and the headers. */
function sendOnce(baseUrl: string, sent: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const { method, path, query, headers, body, caller } = sent;
  const authorization =
    caller.authorization === null ? {} : { authorization: caller.authorization };
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const call = httpRequest({
      agent,
      hostname,
      port,
      method,
      timeout: RESPONSE_WITHIN_MS,
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...headers, ...authorization, ...length },
    });
    let isAnswered = false;
    call.once('response', (response) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    call.once('timeout', () =>
      call.destroy(new Error(`no response within ${RESPONSE_WITHIN_MS} ms`)),
    );
    call.on('error', (error) => {
      if (isAnswered) return;
      // The service closed an idle connection: see `request.reusedSocket` in Node's documentation.
      if (call.reusedSocket && 'code' in error && error.code === 'ECONNRESET')
        resolve(sendOnce(baseUrl, sent));
      else reject(error);
    });
    call.end(body ?? undefined);
  });
}
