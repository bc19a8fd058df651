import { NotReady, type HealthCheck } from '../process/health-check.js';
import {
  attributeFaults,
  codeOf,
  isSound,
  namespaceExists,
  NOT_FOUND,
  type AttributeFaults,
  type AttributeTypes,
} from './namespace-state.js';
import type { TemporalClient } from './temporal-client.js';
import type { TemporalPlace } from './temporal-place.js';

export interface TemporalChecksOptions {
  temporal: Pick<TemporalClient, 'isAvailable' | 'unavailableReason' | 'connection'>;
  place: Pick<TemporalPlace, 'address' | 'namespace'>;
  attributes: AttributeTypes;
  /** True: the process cannot work without Temporal. */
  critical: boolean;
}

const KEPT_MS = 5_000;
const SET_UP = 'Run the operator command "temporal setup"';

/** The requirements of a process on Temporal: it responds, and has the namespace with the workflows' search attributes. */
export function temporalChecks({
  temporal,
  place: { address, namespace },
  attributes,
  critical,
}: TemporalChecksOptions): HealthCheck[] {
  const requireServer = async (): Promise<void> => {
    if (await temporal.isAvailable()) return;
    throw new NotReady(
      `The Temporal server at ${address} does not respond: ${temporal.unavailableReason}`,
      'Start it, or correct TEMPORAL_ADDRESS and the settings of TLS',
    );
  };
  /** An unavailable server is the fault of another part. */
  const whileItResponds = async (look: () => Promise<void>): Promise<void> => {
    if (!(await temporal.isAvailable()))
      throw new NotReady(
        'It cannot be checked while the Temporal server does not respond',
        'See the part "temporal"',
      );
    await look();
  };
  const requireNamespace = async (): Promise<void> => {
    if (!(await namespaceExists(temporal.connection, namespace)))
      throw new NotReady(`The Temporal server has no namespace "${namespace}"`, SET_UP);
  };
  const requireAttributes = async (): Promise<void> => {
    const faults = await attributeFaults(temporal.connection, namespace, attributes).catch(
      (error: unknown) => {
        if (codeOf(error) !== NOT_FOUND) throw error;
        throw new NotReady(
          'They cannot be checked without the namespace',
          'See the part "namespace"',
        );
      },
    );
    if (!isSound(faults)) throw new NotReady(...describeFaults(namespace, faults));
  };
  const kept = { critical, keptForMs: KEPT_MS };
  return [
    { part: 'temporal', critical, check: requireServer },
    { part: 'namespace', ...kept, check: () => whileItResponds(requireNamespace) },
    { part: 'search_attributes', ...kept, check: () => whileItResponds(requireAttributes) },
  ];
}

function describeFaults(
  namespace: string,
  { missing, wrong }: AttributeFaults,
): [cause: string, remedy: string] {
  const causes = [
    ...(missing.length > 0 ? [`lacks search attributes: ${missing.join(', ')}`] : []),
    ...(wrong.length > 0 ? [`has search attributes of another type: ${wrong.join(', ')}`] : []),
  ];
  return [
    `The namespace "${namespace}" ${causes.join('; it ')}`,
    wrong.length > 0
      ? `Remove those of another type ("temporal operator search-attribute remove"), then run the operator command "temporal setup"`
      : SET_UP,
  ];
}
