import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { startApiProcess } from '../../support/services/api-process.js';

/** Longer than a test may take. test/e2e/operations/rolling-restart.long.test.ts waits for one. */
const DELAY_OF_MINUTES_MS = 300_000;

apiOfFile();

const read = (url: string): Promise<Response> =>
  fetch(`${url}/institutions`, { headers: { authorization: `Bearer ${token}` } });

describe('STOP_DELAY', () => {
  it('makes readiness return 503 and closes connections after their response, while calls are served, until a second signal', async () => {
    const port = await freePort('127.0.0.1');
    const api = await startApiProcess({
      ...service.environment,
      API_PORT: String(port),
      METRICS_PORT: String(await freePort('127.0.0.1', [port])),
      STOP_DELAY: `${DELAY_OF_MINUTES_MS}ms`,
    });
    expect((await read(api.url)).headers.get('connection')).toBe('keep-alive');
    const closed = api.close();
    const notReady = await eventually(async () => {
      const response = await fetch(`${api.url}/health/ready`);
      expect(response.status).toBe(503);
      return response;
    });
    expect(notReady.headers.get('connection')).toBe('close');
    expect(await notReady.json()).toMatchObject({
      status: 'unavailable',
      parts: { process: 'down', database: 'up' },
    });
    const response = await read(api.url);
    expect({ status: response.status, connection: response.headers.get('connection') }).toEqual({
      status: 200,
      connection: 'close',
    });
    await Promise.all([closed, api.close()]);
  });
});
