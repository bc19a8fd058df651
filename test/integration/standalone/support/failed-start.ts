import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testTemporalAddress } from '../../../support/services/embedded-services.js';
import { makeDataDir, removeStandalones, startStandalone } from './standalone-process.js';

const folders: string[] = [];

/** A data folder, which `removeFailedStarts` removes. */
export const dataDir = (): string => {
  const folder = makeDataDir();
  folders.push(folder);
  return folder;
};

/** For `afterAll`. */
export const removeFailedStarts = (): Promise<void> => removeStandalones(folders.splice(0));

/** Starts the service, which must exit by itself with status 1. */
export async function failToStart(
  options: { dataDir?: string; args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<string> {
  const folder = options.dataDir ?? dataDir();
  const standalone = startStandalone({
    dataDir: folder,
    args: options.args ?? ['--auto-ports'],
    env: { TEMPORAL_ADDRESS: testTemporalAddress(), ...options.env },
  });
  const { code, output } = await standalone.ended();
  expect(code).toBe(1);
  expect(output).not.toMatch(/\n\s+at .+:\d+/);
  expect(existsSync(join(folder, 'standalone.json'))).toBe(false);
  expect(existsSync(join(folder, 'supervisor.lock'))).toBe(false);
  return output;
}
