import { VENDOR_NAMES, type VendorName } from './ledger/ledger.types.js';
import { refuseInProduction } from './server/refuse-in-production.js';

export interface SimulatorSettings {
  host: string;
  /** 0 = any free one. */
  ports: Record<VendorName, number>;
  /** Fixes the clock; undefined = real time. */
  now: Date | undefined;
}

const FIRST_PORT = 4310;

/**
 * Reads the settings of the process: `VENDOR_SIMULATORS_HOST`, `VENDOR_SIMULATORS_PORT` (the first
 * of a row of ports, one for each vendor; 0 = free ones) and `VENDOR_SIMULATORS_NOW` (ISO 8601).
 * @throws Error that names every wrong setting, or in production
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SimulatorSettings {
  refuseInProduction(env);
  const problems: string[] = [];
  const first = Number(env['VENDOR_SIMULATORS_PORT']?.trim() || FIRST_PORT);
  if (!Number.isInteger(first) || first < 0 || first > 65_535 - VENDOR_NAMES.length) {
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
  const port = (index: number): number => (first === 0 ? 0 : first + index);
  return {
    host: env['VENDOR_SIMULATORS_HOST']?.trim() || '127.0.0.1',
    ports: { simplefin: port(0), 'enable-banking': port(1), fdx: port(2) },
    now,
  };
}
