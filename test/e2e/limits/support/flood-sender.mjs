// Sends requests from one address, in a process of its own: node flood-sender.mjs, with its orders
// as JSON on standard input. Prints the number of responses of each status.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `orders`: { url, localAddress, connections, perSecond, seconds, requests }. `connections` are
 * open at once. A request with `missing` bytes occupies a connection of its own, and the oldest is
 * closed for it.
 */
const orders = JSON.parse(await text(process.stdin));
const { hostname, port } = new URL(orders.url);
const messages = orders.requests.map(({ method, path, headers, body, missing = 0 }) => {
  const length = Buffer.byteLength(body) + missing;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (length > 0) lines.push(`content-length: ${length}`);
  const head = [`${method} ${path} HTTP/1.1`, 'host: api', ...lines, '', ''].join('\r\n');
  return { bytes: Buffer.from(head + body), isHalf: missing > 0 };
});
const statuses = {};
const open = new Set();

function openConnection() {
  const socket = connect({ host: hostname, port: Number(port), localAddress: orders.localAddress });
  open.add(socket);
  socket.on('error', () => undefined);
  socket.once('close', () => open.delete(socket));
  socket.on('data', (data) => {
    for (const [, status] of data.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
      statuses[status] = (statuses[status] ?? 0) + 1;
  });
  return socket;
}

function nextConnection(isHalf) {
  if (open.size < orders.connections) return openConnection();
  const [oldest] = open;
  open.delete(oldest);
  if (isHalf) {
    oldest.destroy();
    return openConnection();
  }
  open.add(oldest);
  return oldest;
}

const started = performance.now();
let sent = 0;
for (;;) {
  const seconds = (performance.now() - started) / 1000;
  if (seconds >= orders.seconds) break;
  while (sent < seconds * orders.perSecond) {
    const { bytes, isHalf } = messages[sent % messages.length];
    nextConnection(isHalf).write(bytes);
    sent += 1;
  }
  await sleep(5);
}
// A slow computer may need longer for its first response.
while (Object.keys(statuses).length === 0 && open.size > 0) await sleep(20);
process.stdout.write(JSON.stringify({ sent, statuses }));
process.exit(0);
