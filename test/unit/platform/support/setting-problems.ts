import { readSettings, SettingsError } from '../../../../apps/platform/src/config/settings.js';

export const KEY = Buffer.alloc(32, 7).toString('base64');
export const API = {
  DATABASE_URL: 'postgresql://u:p@db:5432/t',
  TEMPORAL_ADDRESS: 'temporal:7233',
  MASTER_KEYS: `k1:${KEY}`,
};

export function problemsOf(
  env: Record<string, string>,
  process: Parameters<typeof readSettings>[1],
): readonly string[] {
  try {
    readSettings(env, process);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
