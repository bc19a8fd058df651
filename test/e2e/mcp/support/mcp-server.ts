import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildPackages } from '../../../../tools/build-packages.mjs';
import type { SharedService } from '../../../support/fixtures/shared-service.js';
import { operate } from '../../../support/actors/operator.js';

export type ServerName = 'data' | 'developer';
interface Pair {
  client_id: string;
  client_secret: string;
}

/** The program of a server, and the variables that its host gives it. */
export async function programOf(name: ServerName, service: SharedService, pair: Pair) {
  expect(await buildPackages({ quiet: true })).toBe(true);
  return {
    args: [`clients/mcp/dist/esm/${name}-main.js`],
    env: {
      TRIBUTARY_URL: service.info.base_url,
      CLIENT_ID: pair.client_id,
      CLIENT_SECRET: pair.client_secret,
    },
  };
}

/** A server that the official client has started and talks to over its standard streams. */
export class McpServerProcess {
  private constructor(
    private readonly client: Client,
    private readonly errors: string[],
  ) {}

  static async start(
    name: ServerName,
    service: SharedService,
    pair: Pair,
  ): Promise<McpServerProcess> {
    const { args, env } = await programOf(name, service, pair);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env,
      stderr: 'pipe',
    });
    const errors: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    return new McpServerProcess(client, errors);
  }

  /** Everything on its standard error stream so far. */
  log(): string {
    return this.errors.join('');
  }

  async tools() {
    return (await this.client.listTools()).tools;
  }

  /** The text of a result, which is its structured content too. */
  async call<Result = Record<string, unknown>>(
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<Result> {
    const { content, structuredContent, isError } = await this.client.callTool({
      name,
      arguments: args,
    });
    const [{ text = '' } = {}] = content as { text?: string }[];
    if (isError === true) throw new Error(`${name}: ${text}`);
    expect(JSON.parse(text)).toEqual(structuredContent);
    return structuredContent as Result;
  }

  /** The text of a call that fails. */
  async failure(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content, isError } = await this.client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    return (content as { text: string }[])[0]?.text ?? '';
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** A key pair in Sandbox that is limited to these scopes and to the links of one user. */
export function readingPair(
  { dataDir, app }: SharedService,
  userId: string,
  scopes: readonly string[] = ['links:read', 'products:read'],
): Promise<Pair> {
  return operate<Pair>(
    dataDir,
    ...['clients', 'create', app.app_id, '--environment', 'sandbox', '--user', userId],
    ...scopes.flatMap((scope) => ['--scope', scope]),
  );
}
