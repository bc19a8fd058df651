import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { until } from '../until.js';

export interface ReceivedEvent {
  webhook_event: string;
  webhook_idempotency_key: string;
  webhook_timestamp: string;
  link_id: string;
  state?: string;
  product?: string;
  has_history?: boolean;
  attempt: number;
  kid: string;
}

/**
 * The receiver of a customer of the service: receives webhooks and verifies them as in webhooks.md
 * section 6.
 */
export class WebhookReceiver {
  readonly events: ReceivedEvent[] = [];
  readonly rejected: string[] = [];
  private readonly keys: JWTVerifyGetKey;
  private readonly server: Server;

  constructor(private readonly baseUrl: string) {
    this.keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), {
      cooldownDuration: 300_000,
      cacheMaxAge: 3_600_000,
    });
    this.server = createServer((request, response) => {
      this.take(request).then(
        () => response.writeHead(204).end(),
        (error: unknown) => {
          this.rejected.push((error as Error).message);
          response.writeHead(400).end();
        },
      );
    });
  }

  /** @returns the URL for webhooks */
  async listen(host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, host, resolve);
    });
    return `http://${host}:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** Waits for this many events. @returns whether they arrived */
  waitFor(count: number, within: number): Promise<boolean> {
    return until(async () => this.events.length >= count || this.rejected.length > 0, { within });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async take(request: IncomingMessage): Promise<void> {
    const body = await rawBody(request);
    const signature = request.headers['service-signature'];
    if (typeof signature !== 'string') throw new Error('a webhook came without signature');
    const event = await this.verify(body, signature);
    // At least once: an event may arrive again.
    if (
      this.events.some((known) => known.webhook_idempotency_key === event.webhook_idempotency_key)
    )
      return;
    this.events.push({
      ...event,
      attempt: Number(request.headers['service-delivery-attempt']),
      kid: decodeProtectedHeader(signature).kid ?? '',
    });
  }

  private async verify(body: Buffer, signature: string): Promise<ReceivedEvent> {
    const { payload } = await jwtVerify(signature, this.keys, {
      algorithms: ['ES256'],
      issuer: this.baseUrl,
      maxTokenAge: '4 min',
      clockTolerance: '1 min',
    });
    const sent = Buffer.from(String(payload['request_body_sha256']), 'hex');
    const real = createHash('sha256').update(body).digest();
    if (sent.length !== real.length || !timingSafeEqual(sent, real))
      throw new Error('the body of a webhook does not match its signature');
    const event = JSON.parse(body.toString('utf8')) as ReceivedEvent;
    if (event.webhook_idempotency_key !== payload.jti)
      throw new Error('the key of a webhook does not match its signature');
    return event;
  }
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
