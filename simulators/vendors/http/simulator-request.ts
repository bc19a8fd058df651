import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Refusal } from './reply.js';

const MAX_BODY_BYTES = 1_000_000;

/** A request, for routes. */
export class SimulatorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;

  constructor(
    private readonly incoming: IncomingMessage,
    readonly params: Readonly<Record<string, string>> = {},
  ) {
    const url = targetOf(incoming);
    this.method = incoming.method ?? '';
    this.path = url.pathname;
    this.query = url.searchParams;
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

  /** @throws Refusal 413 for a body over 1 MB */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new Refusal({ status: 413, json: { error: 'too large' } });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** @returns undefined for an empty body @throws Refusal 400 for a body that is not JSON */
  async json(): Promise<unknown> {
    const text = await this.text();
    if (text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Refusal({ status: 400, json: { error: 'The body is not JSON.' } });
    }
  }

  async form(): Promise<URLSearchParams> {
    return new URLSearchParams(await this.text());
  }
}

/** The address of a request, independent of its Host header. */
export function targetOf({ url = '/' }: IncomingMessage): URL {
  try {
    return new URL(`http://simulator${url}`);
  } catch {
    return new URL('http://simulator/');
  }
}
