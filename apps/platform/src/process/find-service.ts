import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isSecretGiven } from '../../../../prisma/base/database/secret-files.js';
import type { Environment } from '../config/settings.js';

/** The environment does not lead to a service; the text names the missing part. */
export class ServiceNotFound extends Error {}

/**
 * The settings of an operator's command: those of the environment, and for missing ones those of a standalone
 * service that runs on the data folder.
 * @throws ServiceNotFound
 */
export function findService(env: Environment): Environment {
  if (isSecretGiven(env, 'DATABASE_URL') && isSecretGiven(env, 'MASTER_KEYS')) return env;
  const folder = resolve(env['DATA_DIR']?.trim() || '.tributary');
  const running = readJson<Running>(join(folder, 'standalone.json'));
  if (running === null) {
    throw new ServiceNotFound(
      `The service was not found: DATABASE_URL and MASTER_KEYS are not both set, and no standalone service runs on ${folder} (DATA_DIR).`,
    );
  }
  const found: Environment = {
    DATABASE_URL: running.database_url,
    TEMPORAL_ADDRESS: running.temporal_address,
    TEMPORAL_NAMESPACE: running.temporal_namespace,
    BASE_URL: running.base_url,
    CONSOLE_BASE_URL: running.console_url ?? undefined,
    // The service has accepted its address.
    INSECURE_BASE_URL: 'allow',
    MASTER_KEYS: readJson<{ master_keys: string }>(join(folder, 'secrets.json'))?.master_keys,
  };
  const missing = Object.entries(found).filter(([name]) => !isSecretGiven(env, name));
  return {
    ...Object.fromEntries(missing),
    ...Object.fromEntries(Object.entries(env).filter(([name]) => isGiven(env, name))),
  };
}

const isGiven = (env: Environment, name: string) => (env[name] ?? '').trim() !== '';

interface Running {
  base_url: string;
  console_url: string | null;
  database_url: string;
  temporal_address: string;
  temporal_namespace: string;
}

function readJson<T>(file: string): T | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    throw new ServiceNotFound(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
