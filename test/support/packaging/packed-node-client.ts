import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildPackages } from '../../../tools/build-packages.mjs';

/** Without blocking: a kept connection that ends meanwhile would fail the next request. */
const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../../clients/node', import.meta.url));

/**
 * Makes a folder a project that has installed the packed archive of @tributary/node, without npm's
 * look at the registry.
 * @returns the archive
 */
export async function installNodeClient(project: string): Promise<string> {
  if (!(await buildPackages({ quiet: true }))) throw new Error('The packages cannot be built.');
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: PACKAGE,
  });
  const archive = join(project, packed.stdout.trim());
  const installed = join(project, 'node_modules/@tributary/node');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  return archive;
}
