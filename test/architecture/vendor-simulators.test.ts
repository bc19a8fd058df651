import { readFileSync, readdirSync } from 'node:fs';
import { readSettings, refuseInProduction } from '../../simulators/vendors/settings.js';
import { VENDOR_NAMES } from '../../simulators/vendors/vendors.js';

// The imports that are forbidden for them, and to them: imports.test.ts.
describe('The vendor simulators', () => {
  const image =
    readFileSync('Dockerfile', 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const build = readFileSync('Dockerfile', 'utf8').slice(0, -image.length);

  it('are removed from the files that are copied into the image', () => {
    expect(build).toMatch(/ rm -rf .*\bdist\/simulators\/vendors\b/);
    expect(image).toContain('COPY --from=build /app/dist dist');
  });

  it('do not start if NODE_ENV is production, which the image sets', () => {
    expect(image).toMatch(/^ENV NODE_ENV=production$/m);
    expect(() => refuseInProduction({ NODE_ENV: 'production' })).toThrow(
      'do not start in production',
    );
    expect(() => readSettings({ NODE_ENV: 'production' })).toThrow('do not start in production');
    expect(() => refuseInProduction({ NODE_ENV: 'test' })).not.toThrow();
  });

  it('are neither a service of docker-compose.yml nor a setting of the service', () => {
    for (const file of ['docker-compose.yml', '.env.example', 'docs/settings.md']) {
      expect(readFileSync(file, 'utf8')).not.toMatch(/vendor.?simulators/i);
    }
  });

  it('have a folder for each vendor that the process starts', () => {
    expect(VENDOR_NAMES.length).toBeGreaterThanOrEqual(2);
    for (const vendor of VENDOR_NAMES)
      expect(readdirSync(`simulators/vendors/${vendor}`)).toContain('server.ts');
  });

  it('have a row in their README for each vendor', () => {
    const readme = readFileSync('simulators/vendors/README.md', 'utf8');
    for (const vendor of VENDOR_NAMES) expect(readme).toContain(`| \`${vendor}/\` |`);
  });
});
