import { checkInstallScripts, readAudit } from '../../tools/check-dependencies.mjs';

const NOTE = '| `engine` | downloads | no | not needed |\n';
const lockOf = (...names: string[]) => ({
  packages: Object.fromEntries([
    ['node_modules/quiet', {}],
    ...names.map((name) => [`node_modules/quiet/node_modules/${name}`, { hasInstallScript: true }]),
  ]) as Record<string, { hasInstallScript?: boolean }>,
});

describe('The check of dependencies', () => {
  it('accepts a lockfile whose install scripts are all described', () => {
    expect(checkInstallScripts({ lock: lockOf('engine'), note: NOTE })).toBeUndefined();
  });

  it('names a package that runs an install script nothing describes', () => {
    expect(checkInstallScripts({ lock: lockOf('engine', '@new/package'), note: NOTE })).toMatch(
      /^@new\/package runs a script at its installation/,
    );
  });

  it('names a description whose package runs no install script', () => {
    expect(checkInstallScripts({ lock: lockOf(), note: NOTE })).toMatch(/describes engine/);
  });

  it('reports an audit that the registry refuses as skipped, not as clean', () => {
    expect(readAudit(JSON.stringify({ statusCode: 405 }))).toEqual({
      skipped: 'the registry did not answer (405)',
    });
    expect(readAudit('')).toEqual({ skipped: 'npm audit printed no report' });
  });

  it('fails for a serious advisory and passes for a lesser one', () => {
    const advisory = (severity: string) =>
      JSON.stringify({ vulnerabilities: { pkg: { name: 'pkg', severity, range: '<2' } } });
    expect(readAudit(advisory('critical'))).toEqual({ problem: 'pkg <2: critical' });
    expect(readAudit(advisory('moderate'))).toEqual({});
  });
});
