import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScriptedSession } from '../../browser/connect-app/support/scripted-session.js';
import { startConnectServer } from '../../browser/connect-app/support/servers.js';
import { PHONE_STORIES } from '../../browser/phones/support/phone-stories.js';

/**
 * The built hosted app with a scripted session, as a process of its own: runners of other languages
 * and other versions of Jest start it and read one line of JSON, `{ connect, control }`. At
 * `control`: `POST /play?story=…` starts a story; `GET /calls` lists the calls that the app has
 * made since. Exits when its standard input closes.
 */
let session: ScriptedSession | undefined;

const connect = await startConnectServer(() => {
  if (session === undefined) throw new Error('no story is played');
  return session;
});
const control = createServer((request, response) => answer(request, response));
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
const { port } = control.address() as AddressInfo;
process.stdout.write(
  `${JSON.stringify({ connect: connect.origin, control: `http://127.0.0.1:${port}` })}\n`,
);
process.stdin.resume().once('end', () => process.exit(0));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'GET' && url.pathname === '/calls')
    return reply(
      response,
      200,
      session?.calls.map(({ method, path, body }) => ({ method, path, body })),
    );
  const story = PHONE_STORIES[url.searchParams.get('story') ?? ''];
  if (request.method !== 'POST' || url.pathname !== '/play' || story === undefined)
    return reply(response, 404, { stories: Object.keys(PHONE_STORIES) });
  session = story();
  return reply(response, 200, {});
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body ?? []));
}
