import { Registry } from 'prom-client';
import { startOperatorServer } from '../../../apps/platform/src/process/operator-server.js';
import type { SmallServer } from '../../../apps/platform/src/process/small-server.js';

describe('The operator port', () => {
  let server: SmallServer;
  beforeAll(async () => {
    server = await startOperatorServer({
      host: '127.0.0.1',
      port: 0,
      registry: new Registry(),
      checks: [],
    });
  });
  afterAll(() => server.close());

  async function ask(method: string, path: string) {
    const body = method === 'POST' ? '{"payloads":[]}' : null;
    const url = `http://127.0.0.1:${server.port}${path}`;
    const response = await fetch(url, { method, body });
    return {
      status: response.status,
      allow: response.headers.get('allow'),
      text: await response.text(),
    };
  }

  it.each(['/metrics', '/metrics?name[]=a', '/health/live', '/health/ready'])(
    'serves %s to GET and to no other method',
    async (path) => {
      expect(await ask('GET', path)).toMatchObject({ status: 200, allow: null });
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
        expect(await ask(method, path)).toEqual({ status: 405, allow: 'GET', text: '' });
      }
    },
  );

  it.each([
    ...['/', '/nothing', '/codec/decode', '/constructor', '/metrics/', '//metrics', '/Metrics'],
    ...['/%6detrics', '/metrics;x', '/HEALTH/live', '/health//live', '/health/live/'],
  ])('returns 404 for %s', async (path) => {
    expect({
      get: (await ask('GET', path)).status,
      post: (await ask('POST', path)).status,
    }).toEqual({ get: 404, post: 404 });
  });
});
