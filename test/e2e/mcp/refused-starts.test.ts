import { spawnSync } from 'node:child_process';
import { operate } from '../../support/actors/operator.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { programOf, readingPair, type ServerName } from './support/mcp-server.js';

const SECRET = 'canary-of-a-secret';
serviceOfFile();

/** Starts a server that is expected to end by itself. */
async function refusal(
  name: ServerName,
  pair: { client_id: string; client_secret: string },
  { env: more = {}, args: further = [] }: { env?: Record<string, string>; args?: string[] } = {},
) {
  const { args, env } = await programOf(name, service, pair);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...further], {
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^tributary-mcp-${name}: [^\\n]+\\.\\n$`));
  expect(stderr).not.toContain(pair.client_secret);
  return stderr;
}

describe('The MCP server for data does not start', () => {
  it('with a key pair that reaches all users', async () => {
    const pair = await operate<{ client_id: string; client_secret: string }>(
      service.dataDir,
      ...['clients', 'create', service.app.app_id, '--environment', 'sandbox'],
      ...['--scope', 'links:read'],
    );
    expect(await refusal('data', pair)).toMatch(/reaches all users .+ Use one made by/);
  });

  it('with a key pair that has a writing scope', async () => {
    const pair = await readingPair(service, 'ann', ['links:read', 'products:refresh']);
    expect(await refusal('data', pair)).toMatch(/writing scopes \(products:refresh\)\. Use one/);
  });

  it('with a key pair that has no scope for its tools', async () => {
    const pair = await readingPair(service, 'ann', ['institutions:read']);
    expect(await refusal('data', pair)).toMatch(/no scope for any tool .+ Ask/);
  });

  it('with a wrong secret', async () => {
    const pair = { client_id: service.app.sandbox.client_id, client_secret: SECRET };
    expect(await refusal('data', pair)).toContain('Check CLIENT_ID, CLIENT_SECRET');
  });

  it('with missing variables', async () => {
    const env = { CLIENT_ID: '', TRIBUTARY_URL: '' };
    expect(await refusal('data', service.app.sandbox, { env })).toMatch(
      /lacks TRIBUTARY_URL, CLIENT_ID\. Add it/,
    );
  });

  it('when nothing responds at the address', async () => {
    const env = { TRIBUTARY_URL: 'http://127.0.0.1:9' };
    expect(await refusal('data', service.app.sandbox, { env })).toContain('TRIBUTARY_URL is its');
  });

  it('with arguments', async () => {
    const args = [`--secret=${SECRET}`];
    const text = await refusal('data', service.app.sandbox, { args });
    expect(text).toContain('takes no arguments');
    expect(text).not.toContain(SECRET);
  });
});

it('The MCP server for developers does not start with a Live key pair', async () => {
  expect(await refusal('developer', service.app.live)).toMatch(/belongs to Live, .+ Set CLIENT_ID/);
});
