import { setTimeout as pause } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import {
  attributeFaults,
  codeOf,
  indexedTypeOf,
  isSound,
  namespaceExists,
  NOT_FOUND,
  typeNameOf,
  type AttributeFaults,
  type AttributeTypes,
  type NamespaceServices,
} from './namespace-state.js';

/** The server refuses, or a name is in use for another object. The message has the cause and the remedy. */
export class SetUpRefused extends Error {
  override readonly name = 'SetUpRefused';
}

export interface NamespaceSetUp {
  namespace: string;
  attributes: AttributeTypes;
  /** Retention of closed workflows in a new namespace; an existing one keeps its own. */
  retentionMs: number;
}

export interface SetUpOutcome {
  isMade: boolean;
  /** Names of the attributes that were added. */
  added: readonly string[];
}

const ALREADY_EXISTS = 6;
/** All parts of a server know a new namespace after some seconds; a search index may take longer. */
const SHOWN_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;
const CALL_WITHIN_MS = 30_000;

/**
 * Creates the namespace and its search attributes, as far as they are missing.
 * @throws SetUpRefused
 */
export async function setUpNamespace(
  connection: NamespaceServices,
  { namespace, attributes, retentionMs }: NamespaceSetUp,
): Promise<SetUpOutcome> {
  const isMade =
    !(await namespaceExists(connection, namespace)) &&
    (await make(connection, `the namespace "${namespace}"`, () =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs(retentionMs),
      }),
    ));
  const added = new Set<string>();
  const deadline = Date.now() + SHOWN_WITHIN_MS;
  for (;;) {
    const faults = await faultsOnceShown(connection, namespace, attributes);
    if (faults !== null && faults.wrong.length > 0)
      throw new SetUpRefused(
        `The namespace "${namespace}" has search attributes of another type: ${faults.wrong.join(', ')}. Remove them ("temporal operator search-attribute remove"), and run this command again.`,
      );
    if (faults !== null && isSound(faults)) return { isMade, added: [...added] };
    if (Date.now() > deadline)
      throw new SetUpRefused(
        `The namespace "${namespace}" is not complete yet: it lacks ${faults === null ? 'everything' : faults.missing.join(', ')}. Run this command again.`,
      );
    const news = (faults?.missing ?? []).filter((name) => !added.has(name));
    if (news.length > 0) {
      await add(connection, namespace, pick(attributes, news));
      for (const name of news) added.add(name);
    } else await pause(LOOK_AGAIN_MS);
  }
}

/** Null: this part of the server does not know the namespace yet. */
async function faultsOnceShown(
  connection: NamespaceServices,
  namespace: string,
  attributes: AttributeTypes,
): Promise<AttributeFaults | null> {
  try {
    return await attributeFaults(connection, namespace, attributes);
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return null;
    throw error;
  }
}

async function add(
  connection: NamespaceServices,
  namespace: string,
  attributes: AttributeTypes,
): Promise<void> {
  const types = Object.entries(attributes);
  const shown = types.map(([name, type]) => `${name} (${typeNameOf(type)})`).join(', ');
  const searchAttributes = Object.fromEntries(
    types.map(([name, type]) => [name, indexedTypeOf(type)]),
  );
  await make(connection, `search attributes in the namespace "${namespace}": ${shown}`, () =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
  );
}

/** @returns false when another caller has created it in the meantime */
async function make(
  connection: NamespaceServices,
  what: string,
  call: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + CALL_WITHIN_MS, call);
    return true;
  } catch (error) {
    if (codeOf(error) === ALREADY_EXISTS) return false;
    if (!isGrpcServiceError(error)) throw error;
    throw new SetUpRefused(
      `The Temporal server does not allow this connection to create ${what}: ${error.details}. Create it with the tools of its operator.`,
      { cause: error },
    );
  }
}

const pick = (attributes: AttributeTypes, names: readonly string[]): AttributeTypes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
