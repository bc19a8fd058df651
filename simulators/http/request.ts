import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from './reply.js';

const MAX_BODY_BYTES = 1_000_000;

/** A body that cannot be read. */
export class UnreadableBody extends Refusal {
  constructor(status: 400 | 413 | 415, message: string, headers: Record<string, string> = {}) {
    super({ status, json: { error: message }, headers }, message);
  }
}

/** A request, for routes. `response` is for a route that responds itself. */
export class SimulatorRequest {
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The path of the route that was found, and the decoded parameters in it. */
  route = 'unknown';
  params: Readonly<Record<string, string>> = {};

  constructor(
    readonly incoming: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    const [path = '/', ...query] = (incoming.url ?? '/').split('?');
    this.method = incoming.method ?? '';
    this.path = path;
    this.query = new URLSearchParams(query.join('?'));
    this.headers = incoming.headers;
  }

  /** A parameter of the route's path. */
  param(name: string): string {
    return this.params[name] ?? '';
  }

  header(name: string): string | null {
    const value = this.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  }

  /** @throws UnreadableBody 415 for a body of another type */
  requireType(mediaType: string): void {
    if (this.header('content-type')?.split(';')[0]?.trim().toLowerCase() !== mediaType)
      throw new UnreadableBody(415, `The body must be ${mediaType}.`);
  }

  /** @throws UnreadableBody 413 for a longer body, 400 for one that is not UTF-8 */
  async text(maxBytes = MAX_BODY_BYTES): Promise<string> {
    const bytes = await this.#bytes(maxBytes);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new UnreadableBody(400, 'The body is not UTF-8.');
    }
  }

  /** @returns undefined for an empty body @throws UnreadableBody 400 for a body that is not JSON */
  async json(maxBytes?: number): Promise<unknown> {
    const text = await this.text(maxBytes);
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new UnreadableBody(400, 'The body is not valid JSON.');
    }
  }

  async form(maxBytes?: number): Promise<URLSearchParams> {
    return new URLSearchParams(await this.text(maxBytes));
  }

  async #bytes(maxBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    // leaving the loop must not destroy the socket that carries the refusal
    const body = this.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    try {
      for await (const chunk of body) {
        size += chunk.length;
        if (size > maxBytes) break;
        chunks.push(chunk);
      }
    } catch {
      throw new UnreadableBody(400, 'The body did not arrive.');
    }
    if (size <= maxBytes) return Buffer.concat(chunks);
    // the rest is not read, so the connection cannot be reused
    throw new UnreadableBody(413, `The body is larger than ${maxBytes} bytes.`, {
      connection: 'close',
    });
  }
}
