import { isGrpcServiceError, type Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';

/** The part of a connection that namespace checks need. */
export type NamespaceServices = Pick<
  Connection,
  'workflowService' | 'operatorService' | 'withDeadline'
>;

export type AttributeTypes = Readonly<Record<string, SearchAttributeType>>;

/** The problems of a namespace's search attributes. */
export interface AttributeFaults {
  missing: readonly string[];
  /** As in `Products (Text, must be KeywordList)`. */
  wrong: readonly string[];
}

/** Codes of gRPC. */
export const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

/** `IndexedValueType` of Temporal's API, and the name that its command line shows. */
const INDEXED_TYPES: Readonly<Record<SearchAttributeType, readonly [value: number, name: string]>> =
  {
    TEXT: [1, 'Text'],
    KEYWORD: [2, 'Keyword'],
    INT: [3, 'Int'],
    DOUBLE: [4, 'Double'],
    BOOL: [5, 'Bool'],
    DATETIME: [6, 'Datetime'],
    KEYWORD_LIST: [7, 'KeywordList'],
  };
const WITHIN_MS = 5_000;

export const indexedTypeOf = (type: SearchAttributeType): number => INDEXED_TYPES[type][0];
/** The form that Temporal's command line accepts, for example `KeywordList`. */
export const typeNameOf = (type: SearchAttributeType): string => INDEXED_TYPES[type][1];

export async function namespaceExists(
  connection: NamespaceServices,
  namespace: string,
): Promise<boolean> {
  try {
    await soon(connection, () => connection.workflowService.describeNamespace({ namespace }));
    return true;
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return false;
    throw error;
  }
}

/**
 * Compares the search attributes of a namespace, which must exist, with the wanted ones. A server may let a client work in a
 * namespace and still not list its attributes: then a query that names them all shows whether one is missing, but not its
 * type.
 */
export async function attributeFaults(
  connection: NamespaceServices,
  namespace: string,
  wanted: AttributeTypes,
): Promise<AttributeFaults> {
  try {
    const { customAttributes } = await soon(connection, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return compare(wanted, customAttributes);
  } catch (error) {
    const code = codeOf(error);
    if (code !== PERMISSION_DENIED && code !== UNIMPLEMENTED) throw error;
    return faultsOfQuery(connection, namespace, wanted);
  }
}

export const isSound = ({ missing, wrong }: AttributeFaults): boolean =>
  missing.length === 0 && wrong.length === 0;

export const codeOf = (error: unknown): number | undefined =>
  isGrpcServiceError(error) ? error.code : undefined;

function compare(wanted: AttributeTypes, found: Record<string, number>): AttributeFaults {
  const missing: string[] = [];
  const wrong: string[] = [];
  for (const [name, type] of Object.entries(wanted)) {
    const value = found[name];
    if (value === undefined) missing.push(name);
    else if (value !== indexedTypeOf(type))
      wrong.push(`${name} (${nameOfValue(value)}, must be ${typeNameOf(type)})`);
  }
  return { missing, wrong };
}

async function faultsOfQuery(
  connection: NamespaceServices,
  namespace: string,
  wanted: AttributeTypes,
): Promise<AttributeFaults> {
  const names = Object.keys(wanted);
  const query = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  try {
    await soon(connection, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query }),
    );
    return { missing: [], wrong: [] };
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== INVALID_ARGUMENT) throw error;
    const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(error.details));
    return { missing: named.length > 0 ? named : names, wrong: [] };
  }
}

const nameOfValue = (value: number): string =>
  Object.values(INDEXED_TYPES).find(([known]) => known === value)?.[1] ?? `type ${value}`;

const soon = <T>(connection: NamespaceServices, call: () => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + WITHIN_MS, call);
