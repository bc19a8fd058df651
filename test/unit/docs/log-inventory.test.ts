import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const NOT_OPERATED = /^apps\/(vendor-simulators|connect|standalone\/src\/demo)\//;
/** A call of a logger whose last argument is a constant message. */
const LOGGED =
  /(?:logger|log)(?:\??\.(?:info|warn|error|fatal|debug|log)|\[[^\]]*\])?\??\.?\(([^;]*?)'([a-z_]+\.[a-z_]+)',?\s*\)/g;

function loggedMessages(): string[] {
  const files = execFileSync('git', ['ls-files', 'apps/**/*.ts'], { encoding: 'utf8' });
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !NOT_OPERATED.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(LOGGED)])
    .map(([, , message = '']) => message);
  // The logger of a command is called by its caller.
  return [...new Set([...found, 'audit.command'])].sort();
}

describe('docs/operating/logs.md', () => {
  it('lists every message that the code logs, and no other', () => {
    const [, inventory = ''] =
      /\n## Messages\n([\s\S]*?)\n## /.exec(readFileSync('docs/operating/logs.md', 'utf8')) ?? [];
    const listed = [...inventory.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, message]) => message);
    const ofEveryProcess = ['api.stopping'];
    expect(
      [...new Set(listed)].filter((name) => !ofEveryProcess.includes(name ?? '')).sort(),
    ).toEqual(loggedMessages());
  });
});
