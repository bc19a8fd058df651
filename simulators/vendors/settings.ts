import { VENDORS } from './vendors.js';

export interface SimulatorSettings {
  host: string;
  /** The first of a row of ports; 0 = free ones. */
  port: number;
  /** Fixes the clock; undefined = real time. */
  now: Date | undefined;
}

const FIRST_PORT = 4310;
const PORTS = Object.values(VENDORS).reduce((sum, { ports }) => sum + ports, 0);

/**
 * Reads the settings of the process: `VENDOR_SIMULATORS_HOST`, `VENDOR_SIMULATORS_PORT` (the first
 * of a row of ports; 0 = free ones) and `VENDOR_SIMULATORS_NOW` (ISO 8601).
 * @throws Error that names every wrong setting, or in production
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SimulatorSettings {
  refuseInProduction(env);
  const problems: string[] = [];
  const port = Number(env['VENDOR_SIMULATORS_PORT']?.trim() || FIRST_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_536 - PORTS) {
    problems.push('VENDOR_SIMULATORS_PORT must be a port');
  }
  const text = env['VENDOR_SIMULATORS_NOW']?.trim() || undefined;
  const now = text === undefined ? undefined : new Date(text);
  if (now !== undefined && Number.isNaN(now.getTime())) {
    problems.push('VENDOR_SIMULATORS_NOW must be an ISO 8601 moment');
  }
  if (problems.length > 0) {
    throw new Error(`The vendor simulators cannot start: ${problems.join('; ')}.`);
  }
  return { host: env['VENDOR_SIMULATORS_HOST']?.trim() || '127.0.0.1', port, now };
}

/**
 * Simulators admit every caller and change any data on request, so the images of the service, which
 * set NODE_ENV=production and do not contain this app, must never run them.
 * @throws Error where NODE_ENV is production
 */
export function refuseInProduction(env: Readonly<Record<string, string | undefined>>): void {
  if (env['NODE_ENV'] === 'production') {
    throw new Error(
      'The vendor simulators are for tests and demos: they do not start in production.',
    );
  }
}
