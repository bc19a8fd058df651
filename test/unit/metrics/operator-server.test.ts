import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOperatorServer, type OperatorServer } from '../../../apps/platform/src/health/operator-server.js';
import { createCodecEndpoint } from '../../../apps/platform/src/temporal/codec-endpoint.js';

describe('the operator port', () => {
  let server: OperatorServer;
  beforeAll(async () => {
    const codec = createCodecEndpoint({ codec: { decode: async (payloads) => payloads }, allowedOrigins: ['http://ui.example'] });
    server = await startOperatorServer({ host: '127.0.0.1', port: 0, registry: new Registry(), checks: [], endpoints: [codec] });
  });
  afterAll(() => server.close());
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const body = method === 'POST' ? '{"payloads":[]}' : null;
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body });
    return { status: response.status, allow: response.headers.get('allow'), text: await response.text() };
  };

  it.each(['/metrics', '/metrics?name[]=a', '/health/live', '/health/ready'])('answers %s by GET and by nothing else', async (path) => {
    expect(await ask('GET', path)).toMatchObject({ status: 200, allow: null });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      expect(await ask(method, path)).toEqual({ status: 405, allow: 'GET', text: '' });
    }
  });

  it.each(['/', '/nothing', '/constructor', '/metrics/'])('knows nothing at %s', async (path) => {
    expect([(await ask('GET', path)).status, (await ask('POST', path)).status]).toEqual([404, 404]);
  });

  it('decodes payloads by POST, for the pages of the Temporal UI', async () => {
    const origin = { origin: 'http://ui.example' };
    expect((await ask('POST', '/codec/decode', origin)).status).toBe(200);
    expect((await ask('OPTIONS', '/codec/decode', origin)).status).toBe(204);
    expect(await ask('GET', '/codec/decode', origin)).toMatchObject({ status: 405, allow: 'POST, OPTIONS' });
  });
});
