import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../logging/logger.js';
import { startSmallServer, type SmallServer } from '../process/small-server.js';
import type { RefusedSignIns } from '../sign-ins/refused-sign-ins.js';
import type { EncryptingPayloadCodec } from '../temporal/payload-codec.js';
import { createCodecAdmission, type CodecAccess } from './codec-callers.js';
import { readPayloads, writePayloads } from './wire-payloads.js';

export interface CodecServerOptions {
  host: string;
  /** 0 = a free port. */
  port: number;
  access: CodecAccess;
  /** Origins of the Temporal UI whose pages may read the response. Only browsers send one. */
  origins: readonly string[];
  codec: Pick<EncryptingPayloadCodec, 'open'>;
  /** The only namespace whose payloads are decoded. */
  namespace: string;
  logger: Logger;
  refusals: Pick<RefusedSignIns, 'note'>;
}

/** A UI without sign-in sends no token; its address contains it: `/TOKEN/decode`. */
const PATH = /^(?:\/([\w-]{1,100}))?\/decode$/;
/** Fits a page of a history; the UI requests smaller parts. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_PAYLOADS = 5_000;

/**
 * The codec server of the Temporal UI and CLI: decodes payloads for operators, so that histories are readable only to
 * them. It only decodes. Each call is one log line: actor, namespace and number of payloads; or a refused sign-in.
 */
export async function startCodecServer(options: CodecServerOptions): Promise<SmallServer> {
  const answer = createAnswer(options);
  return startSmallServer(options, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}

function createAnswer({ access, origins, codec, namespace, logger, refusals }: CodecServerOptions) {
  const admit = createCodecAdmission(access);
  const refuse = (request: IncomingMessage, reason: string): void =>
    refusals.note({
      actor: 'unknown',
      door: 'codec',
      address: request.socket.remoteAddress ?? '',
      reason,
    });

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const end = (status: number, headers: Record<string, string> = {}, body?: string): void => {
      // The rest of the request is not read.
      if (!request.complete) response.setHeader('connection', 'close');
      response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body);
    };
    const target = PATH.exec((request.url ?? '').split('?')[0] ?? '');
    const pathToken = target?.[1];
    if (target === null || (pathToken !== undefined && access.kind !== 'local')) return end(404);
    const { origin } = request.headers;
    if (origin !== undefined && !origins.includes(origin)) {
      refuse(request, 'origin not allowed');
      return end(403);
    }
    if (origin !== undefined) allowOrigin(response, origin);
    // A browser sends no token with a preflight request, and the response reveals nothing.
    if (request.method === 'OPTIONS' && origin !== undefined) return end(204, PREFLIGHT);
    if (request.method !== 'POST') return end(405, { allow: 'POST, OPTIONS' });
    const admission = await admit(request, pathToken);
    if (!admission.isAdmitted) {
      refuse(request, admission.reason);
      const challenge = { 'www-authenticate': 'Bearer' };
      return end(admission.status, admission.status === 401 ? challenge : {});
    }
    // Pages may send other types without a preflight request.
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return end(415);
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return end(413);
    const body = await readBody(request);
    if (body === null) return end(413);
    const caller = { actor: admission.actor, namespace };
    const payloads = readPayloads(body, MAX_PAYLOADS);
    if (payloads === null) {
      logger.warn({ ...caller, reason: 'unreadable body' }, 'codec.not_decoded');
      return end(400);
    }
    const line = { ...caller, payloads: payloads.length };
    // The CLI sends an empty namespace when it is called without --namespace.
    const decoded = decode(payloads, request.headers['x-namespace'] || namespace);
    if (decoded === null) {
      logger.warn(line, 'codec.not_decoded');
      return end(400);
    }
    logger.info(line, 'codec.decoded');
    end(200, { 'content-type': 'application/json' }, writePayloads(decoded));
  };

  function decode(payloads: NonNullable<ReturnType<typeof readPayloads>>, asked: unknown) {
    if (asked !== namespace) return null;
    try {
      return payloads.map((payload) => codec.open(payload, { namespace }));
    } catch {
      // A retired key, another namespace, or foreign bytes: the response must not reveal which.
      return null;
    }
  }
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'content-type,x-namespace,authorization,authorization-extras,x-csrf-token',
  'access-control-max-age': '600',
};

function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  // For a proxy in front that identifies operators by a cookie; the codec itself reads none.
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('vary', 'origin');
}

/** @returns null when the body is too long; the connection is then closed, too */
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
