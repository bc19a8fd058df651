import { Tributary, type TokensIntrospectResult } from '@tributary/node';
import { explainFailure, Refusal } from './explain-failure.js';
import { serveTools } from './serve-tools.js';
import type { Tool } from './tool.js';

export interface ServerDefinition {
  /** The name of the command. */
  name: string;
  /** @throws Refusal for a key pair that this server must not have */
  checkPair(pair: TokensIntrospectResult): void;
  tools(scopes: ReadonlySet<string>): readonly Tool[];
}

/** Starts a server with the key pair of the environment, or ends with the reason on the standard error stream and status 1. */
export async function startServer({ name, checkPair, tools }: ServerDefinition): Promise<void> {
  try {
    checkInvocation();
    const tributary = new Tributary();
    const pair = await tributary.tokens.introspect();
    checkPair(pair);
    const scopes = scopesOf(pair);
    const offered = tools(scopes).filter(({ scope }) => scopes.has(scope));
    if (offered.length === 0)
      throw new Refusal(
        'The key pair has no scope for any tool of this server. Ask the operator of the service for one with the scopes in the README.',
      );
    serveTools(name, offered, tributary);
  } catch (error) {
    process.stderr.write(`${name}: ${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** Variables of the client without which it cannot call the service; the client names its options besides. */
const NEEDED = ['TRIBUTARY_URL', 'CLIENT_ID', 'CLIENT_SECRET'];

function checkInvocation(): void {
  if (process.argv.length > 2)
    throw new Refusal(
      `This command takes no arguments. Set ${NEEDED.join(', ')} in its environment instead.`,
    );
  const missing = NEEDED.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Refusal(
      `The environment lacks ${missing.join(', ')}. Add it to the entry of this server in its host, and start it again.`,
    );
}

/** Scopes that `products:read` includes; numbers and owners are shown only to pairs that name them. */
const OF_PRODUCTS = ['transactions:read', 'investments:read', 'liabilities:read'];

/** The scopes of a key pair by name, with those of the reading tools that the broader scope includes. */
export function scopesOf({ scope }: TokensIntrospectResult): ReadonlySet<string> {
  const named = scope.split(' ');
  return new Set(named.includes('products:read') ? [...named, ...OF_PRODUCTS] : named);
}
