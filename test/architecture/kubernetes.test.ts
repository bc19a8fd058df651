import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseDuration } from '../../apps/platform/src/config/duration.js';
import { settingNames } from '../../apps/platform/src/config/settings.js';
import {
  SETTING_TABLE,
  variablesUsedBy,
  type ProcessName,
  type SettingDefinition,
} from '../../apps/platform/src/config/settings-table.js';
import {
  MANIFESTS,
  readManifests,
  workloadsOf,
  type EnvironmentEntry,
  type Manifest,
  type Workload,
} from './support/manifests.js';

const manifests = [...readManifests(MANIFESTS), ...readManifests(`${MANIFESTS}/jobs`)];
const ofKind = (kind: string): Manifest[] => manifests.filter((each) => each.kind === kind);
const workloads = workloadsOf(manifests).map((each): [string, Workload] => [each.name, each]);
const deployments = workloads.filter(([, { kind }]) => kind === 'Deployment');
const PROCESSES: Record<string, ProcessName> = {
  api: 'api',
  worker: 'worker',
  webhooks: 'webhooks',
  'sandbox-bank': 'sandbox-bank',
  console: 'console',
  migrate: 'migrate',
  'temporal-setup': 'operator',
};
const valueOf = (env: readonly EnvironmentEntry[], name: string): string | undefined =>
  env.find((entry) => entry.name === name)?.value;

describe('The manifests of deploy/kubernetes', () => {
  it('run every process, and the jobs that must run before them', () => {
    expect(workloads.map(([name]) => name).sort()).toEqual(Object.keys(PROCESSES).sort());
  });

  it.each([MANIFESTS, `${MANIFESTS}/jobs`])(
    'in %s are all applied, except for the examples',
    (folder) => {
      const { resources } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
        resources: string[];
      };
      const files = readdirSync(folder).filter(
        (name) => name.endsWith('.yaml') && !/^kustomization|\.example\./.test(name),
      );
      expect(resources.sort()).toEqual(files.sort());
    },
  );

  it.each(workloads)(
    'confine %s as the restricted standard requires, and limit it',
    (_name, each) => {
      expect(each.pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(each.container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: {
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      });
      const [namespace] = ofKind('Namespace');
      expect(JSON.stringify(namespace)).toContain(
        '"pod-security.kubernetes.io/enforce":"restricted"',
      );
    },
  );

  it.each(workloads)('pass %s its own settings, and all required ones', (name, each) => {
    const process = PROCESSES[name] ?? 'operator';
    const given = each.container.env.map((entry) => entry.name);
    const known = variablesUsedBy(process);
    expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
    expect(new Set(given).size).toBe(given.length);
    const required = settingNames().filter((setting) =>
      (SETTING_TABLE[setting] as SettingDefinition<unknown>).requiredBy.includes(process),
    );
    for (const setting of required)
      expect({
        setting,
        isGiven: given.includes(setting) || given.includes(`${setting}_FILE`),
      }).toEqual({ setting, isGiven: true });
    const keys = Object.keys(ofKind('ConfigMap')[0]?.data ?? {});
    const used = each.container.env.flatMap(
      ({ valueFrom }) => valueFrom?.configMapKeyRef.key ?? [],
    );
    expect(keys).toEqual(expect.arrayContaining(used));
  });

  it.each(workloads)('pass %s its secrets as files, and no others', (_name, each) => {
    const secret = each.container.env.filter(
      ({ name }) => (SETTING_TABLE as Record<string, { secret: boolean }>)[name]?.secret,
    );
    expect(secret).toEqual([]);
    const examples = ofKind('Secret');
    const [mount] = each.container.volumeMounts;
    const mounted = each.pod.volumes.flatMap(({ projected }) =>
      projected.sources.flatMap(({ secret: { name, items } }) =>
        items.map(({ key, path }) => {
          const example = examples.find(({ metadata }) => metadata.name === name);
          expect({ name, keys: Object.keys(example?.stringData ?? {}) }).toEqual({
            name,
            keys: expect.arrayContaining([key]),
          });
          return join(mount?.mountPath ?? '', path);
        }),
      ),
    );
    const read = each.container.env.flatMap(({ name, value }) =>
      name.endsWith('_FILE') ? [value] : [],
    );
    expect(mounted.sort()).toEqual(read.sort());
    expect(mount?.readOnly).toBe(true);
  });

  it('assign the role of the owner only to the migration', () => {
    for (const [name, { pod }] of workloads)
      expect({ name, hasOwnerUrl: JSON.stringify(pod).includes('owner_database_url') }).toEqual({
        name,
        hasOwnerUrl: name === 'migrate',
      });
  });

  it.each(workloads)('start %s by an entry that is built', (_name, { container }) => {
    const entry = container.command.find((word) => word.startsWith('dist/')) ?? '';
    expect(existsSync(entry.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
  });

  it.each(deployments)('name the ports at which %s listens, and probe them', (_name, each) => {
    const { ports = [], env } = each.container;
    const listens = env.flatMap(({ name, value }) =>
      name.endsWith('_PORT') ? [Number(value)] : [],
    );
    expect(ports.map(({ containerPort }) => containerPort).sort()).toEqual(listens.sort());
    const { startupProbe, livenessProbe, readinessProbe } = each.container;
    expect(startupProbe?.httpGet.path).toBe('/health/live');
    expect(livenessProbe?.httpGet.path).toBe('/health/live');
    expect(readinessProbe?.httpGet.path).toBe('/health/ready');
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      expect(ports.map(({ name }) => name)).toContain(probe?.httpGet.port);
    // A probe reaches only a process that listens on every address.
    for (const { name, value } of env) if (name.endsWith('_HOST')) expect(value).toBe('0.0.0.0');
  });

  it.each(deployments)('give %s time to stop, and remove it from service before', (_name, each) => {
    const delay = parseDuration(valueOf(each.container.env, 'STOP_DELAY') ?? '0s');
    const { terminationGracePeriodSeconds: grace = 0 } = each.pod;
    expect(grace * 1000).toBeGreaterThanOrEqual(delay + 20_000);
    const { periodSeconds = 0, failureThreshold = 0 } = each.container.readinessProbe ?? {};
    if (delay > 0) expect(periodSeconds * failureThreshold * 1000).toBeLessThan(delay);
  });

  it.each(deployments)(
    'spread %s, and keep enough instances while nodes are drained',
    (name, each) => {
      const ours = { 'app.kubernetes.io/name': name };
      expect(each.labels).toMatchObject(ours);
      expect(each.spec.selector?.matchLabels).toEqual(ours);
      for (const { labelSelector } of each.pod.topologySpreadConstraints ?? [])
        expect(labelSelector.matchLabels).toEqual(ours);
      expect(each.pod.topologySpreadConstraints).toHaveLength(2);
      if (each.spec.replicas === 1) return;
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name);
      expect(budget?.spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: ours } });
    },
  );

  it.each(deployments.filter(([name]) => !['sandbox-bank', 'console'].includes(name)))(
    'declare the address of the metrics of %s',
    (_name, { annotations, container }) => {
      const operator = container.ports?.find(({ name }) => name === 'operator')?.containerPort;
      expect(annotations).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(operator),
        'prometheus.io/path': '/metrics',
      });
    },
  );

  it('allow only connections that a policy names, to ports that exist, and none to the console', () => {
    const policies = ofKind('NetworkPolicy');
    const [deny] = policies.filter(({ metadata }) => metadata.name === 'default-deny');
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const text = JSON.stringify(policies);
    const named = [...text.matchAll(/"app\.kubernetes\.io\/name":"([\w-]+)"/g)].map(([, n]) => n);
    const listed = [...text.matchAll(/"values":\[([^\]]+)\]/g)].flatMap(
      ([, names]) => JSON.parse(`[${names}]`) as string[],
    );
    for (const name of [...named, ...listed]) expect(Object.keys(PROCESSES)).toContain(name);
    const ports = deployments
      .filter(([name]) => name !== 'console')
      .flatMap(([, { container }]) =>
        (container.ports ?? []).map(({ containerPort }) => containerPort),
      );
    const opened = [...text.matchAll(/"port":(4\d+)/g)].map(([, port]) => Number(port));
    expect([...new Set(opened)].sort()).toEqual(ports.sort());
  });

  it('route services and the ingress to ports that containers name', () => {
    const services = ofKind('Service').map(({ metadata, spec }) => {
      const { ports, selector } = spec as {
        ports: { name: string; targetPort: string }[];
        selector: Record<string, string>;
      };
      const target = workloads.find(([name]) => name === selector['app.kubernetes.io/name']);
      const names = target?.[1].container.ports?.map(({ name }) => name);
      for (const { targetPort } of ports) expect(names).toContain(targetPort);
      return [metadata.name, ports.map(({ name }) => name)] as const;
    });
    const backends = [
      ...JSON.stringify(ofKind('Ingress')).matchAll(
        /"service":\{"name":"([\w-]+)","port":\{"name":"([\w-]+)"\}\}/g,
      ),
    ];
    expect(backends).toHaveLength(3);
    for (const [, name, port] of backends)
      expect(services.find(([service]) => service === name)?.[1]).toContain(port);
  });
});

const isThere = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args).status === 0;
const files = [MANIFESTS, `${MANIFESTS}/jobs`, `${MANIFESTS}/ingress-nginx`].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => join(folder, name)),
);

(isThere('kubernetes-validate', '--version') ? it : it.skip)(
  'the manifests are valid by the strict schemas of Kubernetes 1.37 (needs kubernetes-validate)',
  () => {
    execFileSync('kubernetes-validate', ['--strict', '--quiet', ...files]);
  },
);

(isThere('kubectl', 'kustomize', '--help') ? it.each : it.skip.each)([
  MANIFESTS,
  `${MANIFESTS}/jobs`,
])('Kustomize builds %s, with an image of a registry (needs kubectl)', (folder) => {
  const built = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  const images = [...built.matchAll(/^ +image: (.+)$/gm)].map(([, image]) => image);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(new Set(images)).toEqual(new Set([`registry.example.com/tributary:${version}`]));
});
