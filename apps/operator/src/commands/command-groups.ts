import type { OperatorCommand } from '../operator-command.js';

/** The subject of the commands below these words. */
export const GROUPS: Readonly<Record<string, string>> = {
  apps: 'apps that integrate the service',
  clients: 'key pairs of the apps',
  users: 'users of the apps',
  'users simplefin-tokens': 'tokens by which finance apps read the accounts of a user',
  links: 'links of end users',
  deliveries: 'single webhook deliveries (whd_…)',
  institutions: "the catalog of institutions, made from providers' lists, and their refreshes",
  providers: 'configurations: your keys for the sources of bank data, and their refreshes',
  routes: 'the providers through which an institution is reached',
  quotas: 'calls that sources count',
  keys: 'keys that sign webhooks, and keys that seal secrets',
  'keys master': 'keys that seal stored secrets (MASTER_KEYS)',
  histories: 'workflow histories',
  temporal: 'the Temporal server',
  'temporal versions': 'builds of workers, where WORKER_VERSIONING is on',
};

/** By the first word of a command. Loading all of them takes longer than most commands do. */
export const COMMANDS: Readonly<Record<string, () => Promise<readonly OperatorCommand[]>>> = {
  apps: async () => (await import('./apps/app-commands.js')).APP_COMMANDS,
  clients: async () => (await import('./clients/client-commands.js')).CLIENT_COMMANDS,
  users: async () => (await import('./users/user-commands.js')).USER_COMMANDS,
  links: async () => (await import('./links/link-commands.js')).LINK_COMMANDS,
  deliveries: async () => (await import('./delivery-commands.js')).DELIVERY_COMMANDS,
  institutions: async () =>
    (await import('./institutions/institution-commands.js')).INSTITUTION_COMMANDS,
  providers: async () => (await import('./providers/provider-commands.js')).PROVIDER_COMMANDS,
  routes: async () => (await import('./route-commands.js')).ROUTE_COMMANDS,
  quotas: async () => (await import('./quota-commands.js')).QUOTA_COMMANDS,
  keys: async () => (await import('./keys/key-commands.js')).KEY_COMMANDS,
  histories: async () => (await import('./history-commands.js')).HISTORY_COMMANDS,
  temporal: async () => (await import('./temporal/temporal-commands.js')).TEMPORAL_COMMANDS,
  recover: async () => [(await import('./recover-command.js')).RECOVER],
};
