import type { Connection } from '@temporalio/client';
import { setUpNamespace } from '../../../apps/platform/src/temporal/set-up-namespace.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../workflows/search-attribute-types.contract.js';
import { eventually } from '../assertions/eventually.js';

const RETENTION_MS = 86_400_000;

/** Creates the same as `cli temporal setup`. Returns when the cluster has it. */
export async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  // A frontend listens before it knows the other processes.
  await eventually(() =>
    setUpNamespace(connection, {
      namespace,
      attributes: SEARCH_ATTRIBUTE_TYPES,
      retentionMs: RETENTION_MS,
    }),
  );
}
