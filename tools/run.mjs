import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { buildConnect } from './build-connect.mjs';

// Builds, then runs an entry of dist in this very process, so that a signal sent to `npm start` reaches it.
const quiet = process.argv[2] === '--quiet';
const [entry] = process.argv.splice(2, quiet ? 2 : 1).slice(-1);
// Operator commands, which run quietly, show no page.
if (
  !(await build({ quiet })
    .then((built) => built && (quiet || buildConnect()))
    .catch((error) => {
      process.stderr.write(`${error.message}\n`);
      return false;
    }))
) {
  process.stderr.write('The build failed; nothing was started.\n');
  process.exit(1);
}
const file = resolve(fileURLToPath(new URL('../dist/', import.meta.url)), entry);
process.argv[1] = file;
process.setSourceMapsEnabled(true);
await import(pathToFileURL(file).href);
