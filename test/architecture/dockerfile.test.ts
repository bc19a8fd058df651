import { existsSync, readFileSync } from 'node:fs';

describe('Dockerfile', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const final = dockerfile.slice(dockerfile.lastIndexOf('FROM'));
  const { version: packageVersion } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    version: string;
  };
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');

  it('builds from a pinned image, drops everything that only the build needs, and does not run as root', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    expect(stages.length).toBe(3);
    expect(new Set(stages).size).toBe(1);
    expect(stages[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
    expect(dockerfile).toContain(`base.name="docker.io/library/${stages[0]}"`);
    expect(dockerfile).toContain('npm ci --omit=dev --omit=peer --omit=optional');
    // By number, because Kubernetes cannot tell that a name is not root.
    expect(final).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });

  it('describes the image, and checks its health without a program that the image lacks', () => {
    for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
      expect(final).toContain(`org.opencontainers.image.${label}=`);
    const [, version] = /^ARG VERSION=(.+)$/m.exec(final) ?? [];
    expect(version).toBe(packageVersion);
    const [, check = '[]'] = /^HEALTHCHECK .*\\\n\s+CMD (.+)$/m.exec(final) ?? [];
    const [program, script = ''] = JSON.parse(check) as string[];
    expect(program).toBe('node');
    expect(existsSync(script.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
  });

  it('copies only files that exist and that .dockerignore includes', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' '),
    );
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(source)).toBe(true);
      expect(ignored).toContain(`!${source}`);
    }
    expect(ignored).toContain('*');
  });
});
