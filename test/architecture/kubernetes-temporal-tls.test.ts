import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { variablesUsedBy } from '../../apps/platform/src/config/settings-table.js';
import {
  MANIFESTS,
  readManifests,
  workloadsOf,
  type EnvironmentEntry,
  type Manifest,
} from './support/manifests.js';

const COMPONENT = `${MANIFESTS}/temporal-tls`;
const MOUNTED_AT = '/run/temporal-tls';

const read = (file: string): unknown => parse(readFileSync(join(COMPONENT, file), 'utf8'));
const patch = read('mount-files.yaml') as { path: string; value: unknown }[];
const variables = patch
  .filter(({ path }) => path.endsWith('/env/-'))
  .map(({ value }) => value as EnvironmentEntry);

describe('The component of deploy/kubernetes for TLS to Temporal', () => {
  it('sets variables that its processes read', () => {
    expect(variables.map(({ name }) => name)).toEqual([
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_KEY_PATH',
    ]);
    for (const process of ['api', 'worker', 'operator'] as const)
      expect(variablesUsedBy(process)).toEqual(
        expect.arrayContaining(variables.map(({ name }) => name)),
      );
  });

  it('finds every file in the secret of the examples', () => {
    const secret = readManifests(MANIFESTS).find(
      ({ kind, metadata }) => kind === 'Secret' && metadata.name === 'tributary-temporal-tls',
    );
    expect(Object.keys(secret?.stringData ?? {}).map((key) => `${MOUNTED_AT}/${key}`)).toEqual(
      variables.map(({ value }) => value),
    );
  });
});

const succeeds = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).status === 0;

(succeeds('kubectl', 'kustomize', '--help') ? describe : describe.skip)(
  'an overlay with that component (needs kubectl)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-overlay-'));
    const files: string[] = [];
    let built: Manifest[];

    beforeAll(() => {
      cpSync(MANIFESTS, join(folder, 'base'), { recursive: true });
      built = ['base', 'base/jobs'].flatMap((base, index) => {
        const overlay = join(folder, `overlay-${index}`);
        mkdirSync(overlay);
        writeFileSync(
          join(overlay, 'kustomization.yaml'),
          `resources: [../${base}]\ncomponents: [../base/temporal-tls]\n`,
        );
        const text = execFileSync('kubectl', ['kustomize', overlay], { encoding: 'utf8' });
        const file = join(folder, `${index}.yaml`);
        writeFileSync(file, text);
        files.push(file);
        return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
      });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('mounts the files where Temporal is called, and nowhere else', () => {
      const mounts = workloadsOf(built).map(({ name, pod, container }) => [
        name,
        container.env.filter((entry) => entry.name.startsWith('TEMPORAL_TLS_')),
        container.volumeMounts.filter(({ mountPath }) => mountPath === MOUNTED_AT).length,
        pod.volumes.filter((volume) => volume.name === 'temporal-tls').length,
      ]);
      expect(Object.fromEntries(mounts.map(([name, ...rest]) => [name, rest]))).toEqual({
        api: [variables, 1, 1],
        worker: [variables, 1, 1],
        console: [variables, 1, 1],
        'temporal-setup': [variables, 1, 1],
        webhooks: [[], 0, 0],
        'sandbox-bank': [[], 0, 0],
        migrate: [[], 0, 0],
      });
    });

    (succeeds('kubernetes-validate', '--version') ? it : it.skip)(
      'is valid by the strict schemas of Kubernetes 1.37 (needs kubernetes-validate)',
      () => {
        execFileSync('kubernetes-validate', ['--strict', '--quiet', ...files]);
      },
    );
  },
);
