import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger, run } from 'graphile-worker';
import { signAndPost, type BareWebhook } from './sign-and-post.js';

// The same task on a general job queue in PostgreSQL: each job signs and POSTs. Only the job itself
// is recorded.
const runner = await run({
  connectionString: process.env['DATABASE_URL'],
  concurrency: 64,
  maxPoolSize: 10,
  noHandleSignals: true,
  pollInterval: 1_000,
  logger: new Logger(() => () => undefined),
  taskList: { send_webhook: async (payload) => signAndPost(payload as BareWebhook) },
});
process.on('SIGTERM', () => void runner.stop().then(() => process.exit(0)));
const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  ),
);
