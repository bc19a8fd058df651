import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';
import { tutorial } from '../../support/fixtures/tutorial.js';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';

const blocks = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'gm'))]
    .map(([, code = '']) => code)
    .join('');

describeWithPythonClient('The samples of the Python client', (python) => {
  let service: SharedService;
  let folder: string;
  beforeAll(async () => {
    service = await shareService();
    folder = mkdtempSync(join(tmpdir(), 'tributary-samples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (program: string) =>
    execFileSync(python, ['-c', program], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...CLIENT_VARIABLES,
        TRIBUTARY_URL: service.info.base_url,
        CLIENT_ID: service.app.sandbox.client_id,
        CLIENT_SECRET: service.app.sandbox.client_secret,
      },
    });

  it('in its README before the section about webhooks are one program, which prints what the page says', () => {
    const readme = readFileSync('clients/python/README.md', 'utf8');
    const program = readme.slice(0, readme.indexOf('\n## Webhooks'));
    expect(run(blocks(program, 'py'))).toBe(blocks(program, 'text'));
  });

  it('in docs/start/first-link.md link an account and print its newest transactions', () => {
    const { files, example } = tutorial('start/first-link.md');
    const program = files.find(({ name }) => name === 'first_link.py')?.content ?? '';
    const [linked, ...rows] = run(program).trimEnd().split('\n');
    expect(linked).toBe(example.split('\n')[0]);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d \S.* -?\d+(\.\d+)? USD$/);
  });

  it('in the README of its stores copy the transactions of every link', () => {
    const readme = readFileSync('examples/sync-stores-python/README.md', 'utf8');
    expect(run(blocks(readme, 'py'))).toMatch(
      /^mk_\w+ SyncSummary\(pages=1, created=60, updated=0, removed=0, restarted=False\)$/m,
    );
  });
});
