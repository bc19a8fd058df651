export interface Rule {
  /**
   * Folders of the repository whose values may be imported; `contracts` means only `*.contract.ts`
   * of workflows, `adapter manifests` means the descriptions of adapters, without their code.
   */
  values: readonly string[];
  /** Folders of which only types may be imported. */
  types?: readonly string[];
  /** Packages, as a name or `@scope/*`; undefined = any. */
  packages?: readonly string[];
  node: boolean;
}

export const APPS = [
  'apps/platform',
  'apps/api',
  'apps/worker',
  'apps/webhooks',
  'apps/operator',
  'apps/standalone',
  'apps/connect',
  'apps/console-server',
  'apps/console',
];
/** The wings of `prisma`, each of which may import those before it. */
const WINGS = [
  'base',
  'tenants',
  'sources',
  'worlds',
  'announcements',
  'links',
  'work',
  'views',
  'operations',
].map((name) => `prisma/${name}`);
const EVERYTHING_BUT_API = [
  'domain',
  'providers',
  'prisma',
  'activities',
  'workflows',
  'apps/platform',
  'apps/worker',
  'apps/webhooks/src/sending',
];

/** The table of docs/architecture.md, "Allowed imports". The longest folder that matches a file decides. */
export const TABLE: Readonly<Record<string, Rule>> = {
  domain: {
    values: ['domain'],
    types: ['packages/connect-protocol'],
    packages: ['decimal.js', 'tldts'],
    node: false,
  },
  // Addresses are compared by `node:net`, which does no I/O for it.
  'domain/addresses': { values: ['domain'], packages: [], node: true },
  // Contents are compared by digests of `node:crypto`, which does no I/O.
  'domain/digests': { values: ['domain'], packages: [], node: true },
  providers: {
    values: ['providers', 'domain'],
    packages: ['decimal.js', 'jose', 'lossless-json', 'sharp', 'undici', 'openid-client', 'zod'],
    node: true,
  },
  ...Object.fromEntries(
    WINGS.map((wing, index): [string, Rule] => [
      wing,
      {
        values: ['prisma/generated', ...WINGS.slice(0, index + 1), 'domain'],
        packages: ['@prisma/*', 'pg', 'decimal.js'],
        node: true,
      },
    ]),
  ),
  activities: {
    values: ['activities', 'domain', 'providers'],
    types: ['prisma'],
    packages: ['@temporalio/activity'],
    node: false,
  },
  workflows: {
    values: ['workflows', 'domain'],
    types: ['activities'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    node: false,
  },
  'apps/platform': {
    values: ['apps/platform', 'domain', 'prisma'],
    packages: [
      '@nestjs/*',
      '@temporalio/client',
      '@temporalio/common',
      '@temporalio/envconfig',
      'jose',
      'pino',
      'pino-pretty',
      'prom-client',
      'undici',
      'pg',
    ],
    node: true,
  },
  'apps/api': {
    values: ['apps/api', 'apps/platform', 'domain', 'prisma', 'contracts'],
    node: true,
  },
  'apps/api/src/plaid': {
    values: [
      'apps/api',
      'domain',
      'prisma',
      'apps/platform/src/config',
      'apps/platform/src/logging',
      'apps/platform/src/addresses',
      'apps/platform/src/limits',
    ],
    node: true,
  },
  'apps/api/src/simplefin': {
    values: [
      'apps/api',
      'domain',
      'prisma',
      'apps/platform/src/config',
      'apps/platform/src/logging',
      'apps/platform/src/limits',
    ],
    node: true,
  },
  'apps/worker': { values: EVERYTHING_BUT_API, node: true },
  'apps/webhooks': {
    values: ['apps/webhooks', 'apps/platform', 'domain', 'prisma'],
    node: true,
  },
  'apps/operator': {
    values: [
      'apps/operator',
      'apps/platform',
      'domain',
      'prisma',
      'contracts',
      'adapter manifests',
      'clients/terminal',
    ],
    node: true,
  },
  'apps/standalone': {
    values: ['apps/standalone', 'apps/platform', 'domain', 'prisma', 'contracts'],
    node: true,
  },
  'simulators/sandbox-bank': {
    values: [
      'simulators/sandbox-bank',
      'simulators/http',
      'simulators/authorization',
      'domain/sandbox',
      'domain/addresses',
      'apps/platform/src/config',
      'apps/platform/src/limits',
      'apps/platform/src/logging',
      'apps/platform/src/process',
    ],
    node: true,
  },
  // Simulators of banks share no code with the code under test.
  'simulators/http': { values: ['simulators/http'], packages: [], node: true },
  'simulators/authorization': {
    values: ['simulators/authorization', 'simulators/http'],
    packages: ['oidc-provider', 'jose'],
    node: true,
  },
  'simulators/vendors': {
    values: ['simulators/vendors', 'simulators/http', 'simulators/authorization'],
    node: true,
  },
  'apps/connect': { values: ['apps/connect', 'packages/connect-protocol'], node: true },
  // The operations of the console are those of the operator's program.
  'apps/console-server': {
    values: [
      'apps/console-server',
      'apps/operator/src',
      'apps/platform',
      'domain',
      'prisma',
      'contracts',
      'clients/terminal',
    ],
    node: true,
  },
  'apps/console': {
    values: ['apps/console', 'apps/connect/src/styles', 'packages/connect-js'],
    types: ['apps/console-server', 'clients/node', 'domain'],
    node: false,
  },
  packages: { values: ['packages'], node: true },
  clients: { values: ['clients'], node: true },
  // The frame of both command lines.
  'clients/terminal': { values: ['clients/terminal'], packages: ['commander'], node: false },
};
