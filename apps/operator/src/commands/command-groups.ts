import type { OperatorCommand } from '../operator-command.js';

/** The commands whose name starts with one noun. */
export interface CommandGroup {
  /** The subject, for help and docs; missing = the noun is a command itself. */
  readonly about?: string;
  /** The subjects below it, by the second word of commands with three. */
  readonly below?: Readonly<Record<string, string>>;
  /** Loading all of them takes longer than most commands do. */
  readonly load: () => Promise<readonly OperatorCommand[]>;
}

/** By their nouns, in the order of help and docs. */
export const COMMANDS: Readonly<Record<string, CommandGroup>> = {
  apps: {
    about: 'apps that integrate the service',
    load: async () => (await import('./apps/app-commands.js')).APP_COMMANDS,
  },
  clients: {
    about: 'key pairs of the apps',
    load: async () => (await import('./clients/client-commands.js')).CLIENT_COMMANDS,
  },
  users: {
    about: 'users of the apps',
    below: { 'simplefin-tokens': 'tokens by which finance apps read the accounts of a user' },
    load: async () => [
      (await import('./exports/export-commands.js')).EXPORT_USER,
      ...(await import('./simplefin-token-commands.js')).SIMPLEFIN_TOKEN_COMMANDS,
    ],
  },
  links: {
    about: 'links of end users',
    load: async () => (await import('./links/link-commands.js')).LINK_COMMANDS,
  },
  deliveries: {
    about: 'single webhook deliveries (whd_…)',
    load: async () => (await import('./delivery-commands.js')).DELIVERY_COMMANDS,
  },
  institutions: {
    about: "the catalog of institutions, made from providers' lists, and their refreshes",
    load: async () => (await import('./institutions/institution-commands.js')).INSTITUTION_COMMANDS,
  },
  providers: {
    about: 'configurations: your keys for the sources of bank data, and their refreshes',
    load: async () => (await import('./providers/provider-commands.js')).PROVIDER_COMMANDS,
  },
  routes: {
    about: 'the providers through which an institution is reached',
    load: async () => (await import('./route-commands.js')).ROUTE_COMMANDS,
  },
  quotas: {
    about: 'calls that sources count',
    load: async () => (await import('./quota-commands.js')).QUOTA_COMMANDS,
  },
  keys: {
    about: 'keys that sign webhooks, and keys that seal secrets',
    below: { master: 'keys that seal stored secrets (MASTER_KEYS)' },
    load: async () => (await import('./keys/key-commands.js')).KEY_COMMANDS,
  },
  histories: {
    about: 'workflow histories',
    load: async () => (await import('./history-commands.js')).HISTORY_COMMANDS,
  },
  temporal: {
    about: 'the Temporal server',
    below: { versions: 'builds of workers, where WORKER_VERSIONING is on' },
    load: async () => (await import('./temporal/temporal-commands.js')).TEMPORAL_COMMANDS,
  },
  console: {
    about: 'sign-ins to the console',
    load: async () => (await import('./console-commands.js')).CONSOLE_COMMANDS,
  },
  record: { load: async () => [(await import('./record-command.js')).RECORD] },
  recover: { load: async () => [(await import('./recover-command.js')).RECOVER] },
};

/** The subject of the commands below these words. */
export function subjectsOf(commands: Readonly<Record<string, CommandGroup>>) {
  return Object.fromEntries(
    Object.entries(commands).flatMap(([noun, { about, below = {} }]) => [
      ...(about === undefined ? [] : [[noun, about] as const]),
      ...Object.entries(below).map(([word, subject]) => [`${noun} ${word}`, subject] as const),
    ]),
  );
}

/** The commands to load: those of the given noun, or all for help and for an unknown command. */
export async function wantedCommands(
  commands: Readonly<Record<string, CommandGroup>>,
  first?: string,
): Promise<readonly OperatorCommand[]> {
  const called =
    first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaded = await Promise.all(
    (called === undefined ? Object.values(commands) : [called]).map(({ load }) => load()),
  );
  return loaded.flat();
}
