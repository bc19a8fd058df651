import { withPresets } from '../../../apps/standalone/src/service/standalone-settings.js';

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
