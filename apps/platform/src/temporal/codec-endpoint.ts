import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { OperatorEndpoint } from '../process/operator-server.js';

/** Payloads as the Temporal UI and CLI send them: every byte string in base64. */
interface WirePayload {
  metadata?: Record<string, string>;
  data?: string;
}

export interface CodecEndpointOptions {
  codec: Pick<PayloadCodec, 'decode'>;
  /** Origins of the Temporal UI whose pages may read the response; empty = the endpoint does not exist. */
  allowedOrigins: readonly string[];
}

const PATH = '/codec/decode';
/** At most a page of a history; the UI requests smaller parts. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * The codec server of the Temporal UI: decodes payloads in the operator's browser, so that histories are readable only
 * there. It only decodes. Its address must be reachable only by operators: loopback, or behind the proxy that signs
 * operators in to the UI (credentials are forwarded for that).
 */
export function createCodecEndpoint({
  codec,
  allowedOrigins,
}: CodecEndpointOptions): OperatorEndpoint {
  return async (request, response) => {
    if (allowedOrigins.length === 0 || (request.url ?? '').split('?')[0] !== PATH) return false;
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigins.includes(origin)) {
      response.writeHead(403).end();
      return true;
    }
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    response.setHeader('vary', 'origin');
    if (request.method === 'OPTIONS') {
      response
        .writeHead(204, {
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type,x-namespace,authorization',
          'access-control-max-age': '600',
        })
        .end();
    } else if (request.method === 'POST') {
      await decode(request, response, codec);
    } else {
      response.writeHead(405, { allow: 'POST, OPTIONS' }).end();
    }
    return true;
  };
}

async function decode(
  request: IncomingMessage,
  response: ServerResponse,
  codec: CodecEndpointOptions['codec'],
): Promise<void> {
  const payloads = readPayloads(await readBody(request));
  if (payloads === null) {
    response.writeHead(400).end();
    return;
  }
  try {
    const decoded = await codec.decode(payloads);
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ payloads: decoded.map(toWire) }));
  } catch {
    // A retired key, or foreign bytes: the response must not reveal which.
    response.writeHead(400).end();
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readPayloads(body: string | null): Payload[] | null {
  try {
    const { payloads } = JSON.parse(body ?? '') as { payloads?: WirePayload[] };
    return Array.isArray(payloads) ? payloads.map(fromWire) : null;
  } catch {
    return null;
  }
}

function fromWire({ metadata, data }: WirePayload): Payload {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data ?? '', 'base64'),
  };
}

function toWire({ metadata, data }: Payload): WirePayload {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value).toString('base64'),
      ]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  };
}
