import { readSettings } from '../../../../platform/src/config/settings.js';
import { choosePorts, type PortPolicy } from '../../ports.js';

/**
 * The environment of a service that phones reach at the address: the API with Connect, and the pages of the sandbox
 * bank. The ports of operators stay on loopback. Webhooks may go to receivers at the address itself, and no other
 * private one.
 * @throws StartFailure naming busy ports, SettingsError
 */
export async function lanEnvironment(
  address: string,
  env: NodeJS.ProcessEnv,
  policy: PortPolicy,
): Promise<NodeJS.ProcessEnv> {
  const { apiPort, sandboxBankPort } = readSettings(env, 'standalone');
  // Chosen here, since the addresses contain them.
  const ports = await choosePorts(
    [
      portSetting('API_PORT', apiPort, address, env),
      portSetting('SANDBOX_BANK_PORT', sandboxBankPort, address, env),
    ],
    policy,
  );
  return {
    ...env,
    INSECURE_BASE_URL: 'allow',
    API_HOST: address,
    API_PORT: String(ports.API_PORT),
    BASE_URL: `http://${address}:${ports.API_PORT}`,
    SANDBOX_BANK_HOST: address,
    SANDBOX_BANK_PORT: String(ports.SANDBOX_BANK_PORT),
    SANDBOX_BANK_PUBLIC_URL: `http://${address}:${ports.SANDBOX_BANK_PORT}`,
    WEBHOOK_ALLOWED_PRIVATE_RANGES: `${address}/32`,
  };
}

const portSetting = <Name extends string>(
  name: Name,
  port: number,
  host: string,
  env: NodeJS.ProcessEnv,
) => ({ name, host, port, fixed: (env[name] ?? '').trim() !== '' });
