import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findService } from '../../../apps/platform/src/process/find-service.js';

describe('The settings of a command that finds a standalone service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-service-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['name the address of its console, whatever its ports are', 'http://127.0.0.1:42110'],
    ['name no address of a console that it does not run', null],
  ])('%s', (_name, console_url) => {
    const running = { base_url: 'http://127.0.0.1:42100', console_url };
    writeFileSync(join(folder, 'standalone.json'), JSON.stringify(running));
    expect(findService({ DATA_DIR: folder })['CONSOLE_BASE_URL']).toBe(console_url ?? undefined);
  });
});
