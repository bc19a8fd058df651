import { readFileSync } from 'node:fs';
import { parse, type CollectionTag, type ScalarTag } from 'yaml';

export interface Service {
  image?: string;
  build?: string;
  user?: string;
  command?: string[];
  entrypoint?: string[];
  /** Null: taken from .env. */
  environment?: Record<string, string | null>;
  env_file?: unknown;
  extends?: { file: string; service: string };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[]; disable?: boolean };
  ports?: string[];
  restart?: string;
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  mem_limit?: string;
  secrets?: (string | { source: string; target: string })[];
  volumes?: string[];
  tmpfs?: string[];
  stop_grace_period?: string;
  networks?: readonly string[] | Record<string, { ipv4_address: string }>;
}

export interface ComposeFile {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, { internal?: boolean } | null>;
}

/** The tags that make compose replace a value instead of merging it. */
const TAGS: (CollectionTag | ScalarTag)[] = ['!override', '!reset'].map((tag) => ({
  tag,
  collection: 'seq',
  resolve: (items) => items,
}));

export const readCompose = (path: string): ComposeFile =>
  parse(readFileSync(path, 'utf8'), { merge: true, customTags: TAGS }) as ComposeFile;

/**
 * An override as a whole file, as compose reads it: the base of each extended or changed service is
 * included.
 */
export function withBase(base: ComposeFile, override: ComposeFile): ComposeFile {
  const services = { ...base.services };
  for (const [name, service] of Object.entries(override.services)) {
    const from = base.services[service.extends?.service ?? name] ?? {};
    const environment = { ...from.environment, ...service.environment };
    services[name] = { ...from, ...service, environment };
  }
  return {
    services,
    secrets: { ...base.secrets, ...override.secrets },
    networks: { ...base.networks, ...override.networks },
  };
}

/**
 * The names of the networks of a service. Without any it is in the one that compose creates for
 * all.
 */
export const networksOf = ({ networks = ['default'] }: Service): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);

/** Names of the secrets that a service has mounted. */
export const secretsOf = ({ secrets = [] }: Service): string[] =>
  secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source));
