import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bareWebhooks, signAndPost } from './sign-and-post.js';

// The upper limit of the webhook bench: a loop that signs and POSTs. No database, cap or record.
const URLS = (process.env['ENDPOINT_URLS'] ?? '').split(' ');
/** As many as the connections of all endpoints can carry; more were slower. */
const AT_A_TIME = 64;

/** Sends as fast as possible. */
async function burst(count: number): Promise<object> {
  const work = bareWebhooks(count, URLS);
  const startedAt = performance.timeOrigin + performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let webhook = work[next++]; webhook !== undefined; webhook = work[next++])
        await signAndPost(webhook);
    }),
  );
  return { startedAt };
}

/** Sends at a steady rate. @returns when each request was started */
async function steady(count: number, perSecond: number): Promise<object> {
  const work = bareWebhooks(count, URLS);
  const began: [string, number][] = [];
  const sent: Promise<void>[] = [];
  const start = performance.now();
  for (const [index, webhook] of work.entries()) {
    const wait = start + (index * 1000) / perSecond - performance.now();
    if (wait > 1) await pause(wait);
    began.push([webhook.token, performance.timeOrigin + performance.now()]);
    sent.push(signAndPost(webhook));
  }
  await Promise.all(sent);
  return { began };
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  const count = Number(searchParams.get('count'));
  (pathname === '/burst' ? burst(count) : steady(count, Number(searchParams.get('rate')))).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  ),
);
