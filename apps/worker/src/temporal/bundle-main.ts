import { writeFileSync } from 'node:fs';
import { bundleWorkflows } from './bundle-workflows.js';

// node bundle-main.js FILE: a step of the build, so that no start of a worker has to wait for it.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file to write.');
writeFileSync(file, (await bundleWorkflows()).code);
