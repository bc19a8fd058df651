import { runCli } from './run-cli.js';

process.exitCode = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
});
