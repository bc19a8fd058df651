import {
  MAX_FIRST_PORT,
  withPortsFrom,
  withPresets,
} from '../../../apps/standalone/src/service/standalone-settings.js';

const LOOPBACK = '127.0.0.0/8,::1/128';
const allowed = (env: NodeJS.ProcessEnv) => withPresets(env)['WEBHOOK_ALLOWED_PRIVATE_RANGES'];

// webhooks 7, "Allowance".
describe('Webhook receivers on the computer of the standalone service', () => {
  it.each(['', 'http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
    'are allowed with BASE_URL "%s"',
    (BASE_URL) => expect(allowed({ BASE_URL })).toBe(LOOPBACK),
  );

  it('are allowed without BASE_URL', () => expect(allowed({})).toBe(LOOPBACK));

  it.each([
    'https://api.example',
    'http://192.168.1.7:4000',
    'https://localhost.example',
    'nonsense',
  ])('are refused when others reach the service at %s', (BASE_URL) =>
    expect(allowed({ BASE_URL })).toBeUndefined(),
  );

  it('follow the setting if it is set', () => {
    const range = { WEBHOOK_ALLOWED_PRIVATE_RANGES: '10.0.0.0/8' };
    expect(allowed(range)).toBe('10.0.0.0/8');
    expect(allowed({ ...range, BASE_URL: 'https://api.example' })).toBe('10.0.0.0/8');
  });
});

describe('The first port of the standalone service', () => {
  it('decides about those of all parts but the ones that have their own', () => {
    expect(withPortsFrom(5000, { API_PORT: '8080', DATA_DIR: 'here' })).toEqual({
      DATA_DIR: 'here',
      API_PORT: '8080',
      SANDBOX_BANK_PORT: '5001',
      SANDBOX_BANK_CONTROL_PORT: '5002',
      METRICS_PORT: '5003',
      WORKER_METRICS_PORT: '5004',
      WEBHOOKS_METRICS_PORT: '5005',
      EMBEDDED_POSTGRES_PORT: '5006',
      EMBEDDED_TEMPORAL_PORT: '5007',
      EMBEDDED_TEMPORAL_UI_PORT: '5008',
      CODEC_PORT: '5009',
      CONSOLE_PORT: '5010',
    });
  });

  it('leaves a valid port for the last part', () => {
    expect(withPortsFrom(MAX_FIRST_PORT, {})).toMatchObject({ CONSOLE_PORT: '65535' });
  });
});
