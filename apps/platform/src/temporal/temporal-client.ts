import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { MasterKey } from '../../../../prisma/sealing/sealer.js';
import { EncryptingPayloadCodec } from './payload-codec.js';

export interface TemporalClientOptions {
  address: string;
  namespace: string;
  masterKeys: readonly [MasterKey, ...MasterKey[]];
}

export interface TemporalClient {
  readonly client: Client;
  /** Whether the server answers now; asks it, and gives up soon. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

const AVAILABLE_WITHIN_MS = 2_000;

/** Connects with the first call and again whenever it has to: a process starts and lives without Temporal. */
export function openTemporalClient({ address, namespace, masterKeys }: TemporalClientOptions): TemporalClient {
  const connection = Connection.lazy({ address, connectTimeout: AVAILABLE_WITHIN_MS });
  const client = new Client({ connection, namespace, dataConverter: clientDataConverter(masterKeys) });
  const ask = () => client.withDeadline(Date.now() + AVAILABLE_WITHIN_MS, () => client.workflowService.getSystemInfo({})).then(() => true, () => false);
  let asking: Promise<boolean> | undefined;
  return {
    client,
    // Many callers at once share one question: what fifty ask at the same moment has one answer.
    isAvailable: () => (asking ??= ask().finally(() => { asking = undefined; })),
    async close() {
      // A question that is being repeated would meet a closed channel, from a timer where nobody can catch it.
      await asking;
      await connection.close();
    },
  };
}

/** Reads what workers wrote and writes what they can read; failures are only read. */
export function clientDataConverter(masterKeys: readonly [MasterKey, ...MasterKey[]]): DataConverter {
  return { payloadCodecs: [new EncryptingPayloadCodec(masterKeys)] };
}

/** For workers, which also write failures. The path is part of the workflow bundle too. */
export function workerDataConverter(masterKeys: readonly [MasterKey, ...MasterKey[]]): DataConverter & { failureConverterPath: string } {
  return { ...clientDataConverter(masterKeys), failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)) };
}
