import { readSettings, type Environment, type SettingsOf } from '../config/settings.js';
import type { ProcessName } from '../config/settings-table.js';
import type { Logger } from '../logging/logger.js';
import { createProcessLogger } from './process-logger.js';

/** Reads the settings of a process and creates the logger they describe. @throws SettingsError */
export function loadProcess<Name extends ProcessName>(
  name: Name,
  env: Environment,
): { settings: SettingsOf<Name>; logger: Logger } {
  const settings = readSettings(env, name);
  const { logLevel: level, logFormat: format } = settings;
  return { settings, logger: createProcessLogger({ name, level, format }) };
}
