import { createRequire } from 'node:module';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Run while the image is built, in the folder above node_modules: removes the files that no process of the image loads.
const require = createRequire(join(process.cwd(), 'package.json'));
const BRIDGE = '@temporalio/core-bridge';

/** Packages of a bundler that run only during bundling; the workflows are bundled while the image is built. */
const BUNDLING = ['@swc', 'swc-loader', 'terser', 'caniuse-lite', '@webassemblyjs'];

/** By folder of node_modules: the remaining entries of those that the pattern matches. */
const RUNTIME = 'query_compiler_(?:fast|small)_bg';
const PARTS = {
  // Built for five platforms.
  [`${BRIDGE}/releases`]: { of: /./, stays: (name) => name === ownPlatform() },
  // Its sources.
  [BRIDGE]: { of: /^(sdk-core|src|ts|bridge-macros)$/, stays: () => false },
  // Compilers of queries for five databases, each fast or small, each for two kinds of modules.
  '@prisma/client/runtime': {
    of: new RegExp(`^${RUNTIME}\\.|^wasm-compiler-edge`),
    stays: (name) => new RegExp(`^${RUNTIME}\\.postgresql\\.`).test(name),
  },
};

/** Only compilers and debuggers read these. */
const NEVER_LOADED = /\.(d\.[cm]?ts|[cm]?js\.map|d\.[cm]?ts\.map)$/;

for (const name of BUNDLING) remove(name);
for (const [folder, { of, stays }] of Object.entries(PARTS))
  for (const name of readdirSync(join('node_modules', folder)))
    if (of.test(name) && !stays(name)) remove(join(folder, name));
for (const entry of readdirSync('node_modules', { recursive: true, withFileTypes: true }))
  if (entry.isFile() && NEVER_LOADED.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
remove('.bin');
removePackagesOfOurs();

function remove(path) {
  rmSync(join('node_modules', path), { recursive: true, force: true });
}

function ownPlatform() {
  const { getPrebuiltPath } = require(`${BRIDGE}/common`);
  return basename(dirname(getPrebuiltPath()));
}

/** Links to folders that the image does not have; the used parts of them are compiled into dist. */
function removePackagesOfOurs() {
  for (const folder of ['.', ...readdirSync('node_modules').filter((name) => name.startsWith('@'))])
    for (const entry of readdirSync(join('node_modules', folder), { withFileTypes: true }))
      if (entry.isSymbolicLink()) remove(join(folder, entry.name));
}
