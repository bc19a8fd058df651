import { BuiltFolder } from './support/built-folder.js';

const CLI = 'apps/operator/src/main.js';

describe('A folder with the results of a build', () => {
  let folder: BuiltFolder;
  beforeEach(() => {
    folder = new BuiltFolder();
  });
  afterEach(() => folder.remove());

  it('is run without a build if there are no sources', () => {
    folder.compilerEndsWith(1);
    expect(folder.run('tools/run.mjs', '--quiet', CLI, 'status')).toEqual({
      status: 0,
      stdout: 'ran status\n',
      stderr: '',
    });
    expect(folder.has(`dist/${CLI}`)).toBe(true);
  });

  it('reports an entry that it does not have', () => {
    const { status, stderr } = folder.run('tools/run.mjs', '--quiet', 'apps/api/src/main.js');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'dist/apps/api/src/main.js is missing. Copy dist from where it was built.\n',
    });
  });

  it('keeps the results when a build fails, and starts nothing', () => {
    folder.write('tsconfig.build.json');
    folder.compilerEndsWith(1);
    expect(folder.run('tools/run.mjs', '--quiet', CLI, 'status')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The build failed; nothing was started.\n',
    });
    expect(folder.has(`dist/${CLI}`)).toBe(true);
  });

  it('loses the results without a source when a build succeeds', () => {
    folder.write('tsconfig.build.json');
    folder.write('dist/apps/operator/src/renamed.js');
    folder.write('apps/operator/src/main.ts');
    expect(folder.run('tools/build.mjs').status).toBe(0);
    expect({
      cli: folder.has(`dist/${CLI}`),
      renamed: folder.has('dist/apps/operator/src/renamed.js'),
    }).toEqual({ cli: true, renamed: false });
  });
});
