import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Builds where the sources exist, then runs an entry of dist in this very process, so that a signal sent to `npm start`
// reaches it. Where only the result of a build exists, it runs that: there a build would treat every file as stale.
const quiet = process.argv[2] === '--quiet';
const [entry] = process.argv.splice(2, quiet ? 2 : 1).slice(-1);
const atRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

if (existsSync(atRoot('tsconfig.build.json')) && !(await buildAll())) {
  process.stderr.write('The build failed; nothing was started.\n');
  process.exit(1);
}
const file = resolve(atRoot('dist'), entry);
if (!existsSync(file)) {
  process.stderr.write(`dist/${entry} is missing. Copy dist from where it was built.\n`);
  process.exit(1);
}
process.argv[1] = file;
process.setSourceMapsEnabled(true);
await import(pathToFileURL(file).href);

async function buildAll() {
  const { beginTemporalSearch, build } = await import('./build.mjs');
  const { buildConnect } = await import('./build-connect.mjs');
  const { buildConsole } = await import('./build-console.mjs');
  try {
    // Where a Temporal server must be built, this takes longer than everything else.
    if (entry.startsWith('apps/standalone/')) await beginTemporalSearch();
    // Operator commands, which run quietly, show no page.
    return (
      (await build({ quiet })) && (quiet || ((await buildConnect()) && (await buildConsole())))
    );
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}
