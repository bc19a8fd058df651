import '../../../apps/platform/src/process/supported-node.js';
import { fileURLToPath } from 'node:url';
import { readSecret } from '../database/secret-files.js';
import { applyMigrations, MigrationError } from './apply-migrations.js';
import { prepareSandboxBankRole } from './sandbox-bank-role.js';

// Runs as a separate process that exits: the engine leaves timers behind and cannot be loaded
// twice.
try {
  const databaseUrl = readSecret(process.env, 'DATABASE_URL');
  const bankUrl = readSecret(process.env, 'SANDBOX_BANK_DATABASE_URL');
  if (!databaseUrl)
    throw new MigrationError(
      'DATABASE_URL is missing. Set it, or DATABASE_URL_FILE, to the address of the database to migrate.',
    );
  const folder = process.argv[2] ?? fileURLToPath(new URL('../../migrations/', import.meta.url));
  const applied = await applyMigrations(databaseUrl, folder);
  if (bankUrl) await prepareSandboxBankRole(databaseUrl, bankUrl);
  process.stdout.write(
    applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`,
  );
  process.exit(0);
} catch (error) {
  process.stderr.write(
    `${error instanceof MigrationError || error instanceof RangeError ? error.message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exit(1);
}
