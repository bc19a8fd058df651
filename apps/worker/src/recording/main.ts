import '../../../platform/src/process/supported-node.js';
import { runRecord } from './run-record.js';

process.exitCode = await runRecord({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
});
