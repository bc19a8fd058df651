import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { makeKeyPair } from '../../../../prisma/tenants/applications/key-pair.js';
import { StartFailure } from '../start-failure.js';
import { writeAtomically } from './atomic-file.js';

const KeyPair = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
const StoredSecrets = z.object({
  master_keys: z.string().min(1),
  postgres_password: z.string().min(1),
  apps: z
    .array(
      z.object({
        app_id: z.string().min(1),
        name: z.string().min(1),
        sandbox: KeyPair,
        live: KeyPair,
      }),
    )
    .min(1),
  sandbox_bank: z.object({
    /** The secret shared by bank and worker. */
    secret: z.string().min(32),
    /** Roles belong to a server, which may host the databases of several data folders. */
    database_role: z.string().min(1),
    database_password: z.string().min(1),
  }),
});

/**
 * Secrets that only this data folder holds: the database stores key pairs as hashes, and sealed
 * columns.
 */
export type StoredSecrets = z.infer<typeof StoredSecrets>;

/**
 * Reads the secrets of a data folder, or creates them at its first start. @throws StartFailure when
 * they cannot be read
 */
export function readOrMakeSecrets(path: string): StoredSecrets {
  if (!existsSync(path)) {
    const secrets = makeSecrets();
    writeAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
    return secrets;
  }
  const parsed = StoredSecrets.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (!parsed.success) {
    throw new StartFailure(
      `The data folder is damaged: ${path} cannot be read. It holds the only keys to what the database has sealed: ` +
        'restore it from a backup, or move the whole data folder away to start empty.',
    );
  }
  return parsed.data;
}

function makeSecrets(): StoredSecrets {
  return {
    master_keys: `k1:${randomBytes(32).toString('base64')}`,
    postgres_password: randomBytes(24).toString('base64url'),
    apps: [
      { app_id: 'demo', name: 'Demo app', sandbox: makePair('sandbox'), live: makePair('live') },
    ],
    sandbox_bank: {
      secret: randomBytes(32).toString('base64url'),
      database_role: `sandbox_bank_${randomBytes(6).toString('hex')}`,
      database_password: randomBytes(24).toString('base64url'),
    },
  };
}

function makePair(environment: 'sandbox' | 'live') {
  const { clientId, clientSecret } = makeKeyPair(environment);
  return { client_id: clientId, client_secret: clientSecret };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
