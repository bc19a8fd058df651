import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { CodecAccess } from '../../../../apps/platform/src/codec/codec-callers.js';
import { startCodecServer } from '../../../../apps/platform/src/codec/codec-server.js';
import { createLogger } from '../../../../apps/platform/src/logging/logger.js';
import type { SmallServer } from '../../../../apps/platform/src/process/small-server.js';
import type { RefusedSignIn } from '../../../../apps/platform/src/sign-ins/refused-sign-ins.js';
import { EncryptingPayloadCodec } from '../../../../apps/platform/src/temporal/payload-codec.js';

export const UI = 'https://temporal.example';
const codec = new EncryptingPayloadCodec([{ id: 'k1', key: randomBytes(32) }]);
export const SECRET = 'ses_canary';

interface CodecRequest {
  host?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

export class Codec {
  readonly refused: RefusedSignIn[] = [];
  lines: Record<string, unknown>[] = [];
  private server!: SmallServer;

  static async start(access: CodecAccess, host = '127.0.0.1'): Promise<Codec> {
    const started = new Codec();
    const write = (line: string) => started.lines.push(JSON.parse(line) as Record<string, unknown>);
    started.server = await startCodecServer({
      host,
      port: 0,
      access,
      origins: [UI],
      codec,
      namespace: 'default',
      logger: createLogger({ name: 'test', level: 'info', format: 'json', destination: { write } }),
      refusals: { note: (refusal) => started.refused.push(refusal) },
    });
    return started;
  }

  /** Uses `node:http`, since fetch refuses to send a Host header of the caller's choice. */
  send({
    host = '127.0.0.1',
    method = 'POST',
    path = '/decode',
    headers = {},
    body,
  }: CodecRequest = {}) {
    return new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
      (resolve, reject) => {
        const outgoing = httpRequest(
          {
            host,
            port: this.server.port,
            method,
            path,
            headers: { 'content-type': 'application/json', ...headers },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                text: Buffer.concat(chunks).toString(),
                headers: response.headers,
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      },
    );
  }

  close = () => this.server.close();
}

export const wire = (bytes: Uint8Array | null | undefined) =>
  Buffer.from(bytes ?? []).toString('base64');

export async function sealed(namespace = 'default'): Promise<string> {
  const payload = {
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(`"${SECRET}"`),
  };
  const encoded = await codec.encode([payload], {
    type: 'workflow',
    namespace,
    workflowId: 'link-session/1',
  });
  return JSON.stringify({
    payloads: encoded.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, wire(value)]),
      ),
      data: wire(data),
    })),
  });
}

export const textsOf = (body: string): string[] =>
  (JSON.parse(body) as { payloads: { data: string }[] }).payloads.map(({ data }) =>
    Buffer.from(data, 'base64').toString(),
  );
