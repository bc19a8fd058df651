import { parseIsoDuration } from '../../../domain/sandbox/iso-duration.js';
import { ApiClient, type ApiResponse } from '../services/api-client.js';
import type { AppBackEnd } from './link-journey.js';
import type { LinkBody } from './response-bodies.js';

export interface WorldBody {
  world_id: string;
  name: string;
  now: string;
  seed: number;
  enforce_refresh_limits: boolean;
  created_at: string;
}

export interface AdvanceBody {
  world: WorldBody;
  ran: { scheduled_refreshes: number; settled_rows: number; expired_auths: number; events: number };
  settled: boolean;
}

export interface FaultBody {
  fault_id: string;
  institution_id: string;
  world_id: string;
  operation: string;
  kind: string;
  remaining: number | null;
  delay_seconds: number;
  retry_after_seconds: number | null;
  created_at: string;
}

/** The calls of /sandbox/…, which may take a while. */
export class SandboxCaller {
  constructor(private readonly app: AppBackEnd) {}

  async send(method: string, path: string, json?: unknown): Promise<ApiResponse> {
    return new ApiClient(this.app.baseUrl, await this.app.accessToken()).send(
      method,
      path,
      json === undefined ? {} : { json },
    );
  }

  /** Expects a success. */
  async ask<T>(method: string, path: string, json?: unknown): Promise<T> {
    const { status, body } = await this.send(method, path, json);
    if (status >= 300)
      throw new Error(`${method} ${path} returned ${status}: ${JSON.stringify(body)}`);
    return body as T;
  }

  link(fields: Record<string, unknown> = {}): Promise<{ link_id: string; link: LinkBody }> {
    return this.ask('POST', '/sandbox/link', fields);
  }

  fault(institutionId: string, fields: Record<string, unknown>): Promise<FaultBody> {
    return this.ask('POST', `/sandbox/institutions/${institutionId}/faults`, fields);
  }

  script(
    linkId: string,
    script: readonly Record<string, unknown>[],
    more: Record<string, unknown> = {},
  ) {
    return this.ask<{
      link_id: string;
      applied: number;
      refreshed: boolean;
      rows: { ref: string; transaction_id: string | null; status: string }[];
    }>('POST', `/sandbox/links/${linkId}/transactions`, { script, ...more });
  }

  world(fields: Record<string, unknown> = {}): Promise<WorldBody> {
    return this.ask('POST', '/sandbox/worlds', fields);
  }

  /** Moves a world, and waits for an advance that outlasts its response, as on a busy machine. */
  async advance(worldId: string, step: { by: string } | { to: string }): Promise<AdvanceBody> {
    const to = 'to' in step ? step.to : await this.later(worldId, step.by);
    const path = `/sandbox/worlds/${worldId}/advance`;
    let body = await this.ask<AdvanceBody>('POST', path, step);
    while (!body.settled) {
      const { status, body: next } = await this.send('POST', path, { to });
      // It arrived between the two calls.
      if (status === 422) return { ...body, settled: true };
      if (status !== 200) throw new Error(`POST ${path} returned ${status}`);
      body = next as AdvanceBody;
    }
    return body;
  }

  private async later(worldId: string, by: string): Promise<string> {
    const { now } = await this.ask<WorldBody>('GET', `/sandbox/worlds/${worldId}`);
    return new Date(Date.parse(`${now}Z`) + (parseIsoDuration(by) ?? NaN)).toISOString();
  }
}
