import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../../apps/standalone/src/temporal/server-settings.js';
import { eventually } from '../assertions/eventually.js';

/** Values of `IndexedValueType` of the operator API. */
const INDEXED_VALUE_TYPES = { Keyword: 2, KeywordList: 7 } as const;
const DAY_S = 86_400;

/** The namespace and the search attributes of the workflows. Returns when the cluster has them. */
export async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService, operatorService } = connection;
  // A frontend listens before it knows the other processes.
  await eventually(() =>
    workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: DAY_S as never },
    }),
  );
  const searchAttributes = Object.fromEntries(
    Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
  );
  // Each process reads the list of namespaces every ten seconds.
  await eventually(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
  await eventually(async () => {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    if (Object.keys(SEARCH_ATTRIBUTES).some((name) => customAttributes?.[name] === undefined))
      throw new Error('the cluster does not list the search attributes yet');
  });
}
