import { readFileSync } from 'node:fs';
import {
  networksOf,
  readCompose,
  secretsOf,
  withBase,
  type ComposeFile,
} from './support/compose-files.js';

const ONE_HOST = readCompose('docker-compose.yml');
const CLUSTER = withBase(ONE_HOST, readCompose('deploy/compose/cluster.yml'));
const ONE_SERVER = withBase(ONE_HOST, readCompose('deploy/compose/one-server.yml'));

/** They hold the same rows and keys, so that reaching another one is no gain. */
const ALIKE = [
  ['api', 'worker', 'webhooks', 'migrate', 'temporal-setup', 'operator', 'console'],
  ['temporal', 'temporal-schema'],
];

/** The services that each connects to. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  postgres: [],
  temporal: ['postgres'],
  'temporal-schema': ['postgres'],
  'temporal-setup': ['postgres', 'temporal'],
  'temporal-ui': ['temporal'],
  migrate: ['postgres'],
  'sandbox-bank': ['postgres'],
  api: ['postgres', 'temporal'],
  worker: ['postgres', 'temporal', 'sandbox-bank'],
  webhooks: ['postgres'],
  operator: ['postgres', 'temporal'],
  console: ['postgres', 'temporal', 'api'],
  prometheus: ['api', 'worker', 'webhooks', 'temporal'],
  grafana: ['prometheus'],
  proxy: ['api'],
};
/**
 * Services that a published port reaches, or that call banks, receivers or issuers of tokens. All
 * others have no outbound access.
 */
const OUTSIDE = [
  ...['api', 'worker', 'webhooks', 'sandbox-bank', 'console'],
  ...['temporal-ui', 'prometheus', 'grafana', 'proxy'],
];

/** A setting of all processes of the core, which the webhooks process does not use. */
const UNUSED = ['webhooks – temporal'];

/** `worker-2` is another `worker`. */
const kindOf = (name: string): string => name.replace(/-\d+$/, '');

function servicesOf({ services }: ComposeFile) {
  return Object.entries(services).map(([name, service]) => ({ name, service }));
}

/** Pairs of kinds of services that share a network, in both directions. */
function reachableIn(file: ComposeFile): string[] {
  const all = servicesOf(file);
  return all.flatMap(({ name: from, service }) =>
    all
      .filter(
        ({ name: to, service: other }) =>
          from !== to && networksOf(service).some((network) => networksOf(other).includes(network)),
      )
      .map(({ name: to }) => `${kindOf(from)} – ${kindOf(to)}`),
  );
}

const isNeeded = (pair: string): boolean => {
  const [from = '', to = ''] = pair.split(' – ');
  return (
    NEEDS[from]?.includes(to) === true ||
    NEEDS[to]?.includes(from) === true ||
    ALIKE.some((group) => group.includes(from) && group.includes(to))
  );
};

/** The services that a service's settings, secrets and mounted files name. */
function namedBy({ name, service }: ReturnType<typeof servicesOf>[number], known: string[]) {
  const files = (service.volumes ?? [])
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((path) => /(\.(yml|cfg|sh)|Caddyfile)$/.test(path));
  const configuration =
    name === 'prometheus' ? [...files, './deploy/prometheus/prometheus.yml'] : files;
  const text = [
    ...Object.values(service.environment ?? {}).map((value) =>
      value?.replaceAll(/\$\{[^}]*\}/g, ''),
    ),
    ...configuration.map((path) => readFileSync(path, 'utf8').replaceAll(/^\s*#.*$/gm, '')),
  ].join('\n');
  const hosts = [
    ...text.matchAll(/(?:\/\/|[\s,[]|^)([a-z][a-z0-9-]*)(?=:\d{4}\b|[,\]])/gm),
    ...text.matchAll(/^(?!.*127\.)([a-z-]+)$/gm),
  ].map(([, host = '']) => host);
  const database = secretsOf(service).some((secret) =>
    /database_url|temporal_password/.test(secret),
  );
  return [...new Set([...hosts, ...(database ? ['postgres'] : [])])].filter(
    (host) =>
      known.includes(host) &&
      kindOf(host) !== kindOf(name) &&
      name !== 'postgres' &&
      !UNUSED.includes(`${kindOf(name)} – ${kindOf(host)}`),
  );
}

describe.each([
  ['docker-compose.yml', ONE_HOST],
  ['deploy/compose/cluster.yml', CLUSTER],
  ['deploy/compose/one-server.yml', ONE_SERVER],
])('The networks of %s', (_path, file) => {
  it('let a service reach only those that it needs', () => {
    expect([...new Set(reachableIn(file).filter((pair) => !isNeeded(pair)))]).toEqual([]);
  });

  it('let a service reach all that it needs', () => {
    const reachable = reachableIn(file);
    const pairs = servicesOf(file).flatMap(({ name }) =>
      (NEEDS[kindOf(name)] ?? []).map((to) => `${kindOf(name)} – ${to}`),
    );
    expect(pairs.filter((pair) => !reachable.includes(pair))).toEqual([]);
  });

  it.each(servicesOf(file).map((each) => [each.name, each] as const))(
    'are declared for %s, whose needs are those that its settings and files name',
    (name, each) => {
      expect(networksOf(each.service)).not.toEqual([]);
      const known = Object.keys(file.services);
      const named = namedBy(each, known).map(kindOf);
      expect([...new Set(named)].sort()).toEqual([...(NEEDS[kindOf(name)] ?? ['?'])].sort());
    },
  );

  it('lead out of this computer, or into it, only for those that are published or call others', () => {
    const open = servicesOf(file).filter(({ service }) =>
      networksOf(service).some((network) => file.networks?.[network]?.internal !== true),
    );
    const kinds = [...new Set(open.map(({ name }) => kindOf(name)))];
    // The UI is published, and shares its network only with Temporal.
    expect(kinds.filter((kind) => kind !== 'temporal').sort()).toEqual(
      OUTSIDE.filter((kind) => kind in file.services).sort(),
    );
    for (const { name, service } of servicesOf(file))
      if (service.ports !== undefined && service.ports.length > 0)
        expect(OUTSIDE).toContain(kindOf(name));
  });
});
