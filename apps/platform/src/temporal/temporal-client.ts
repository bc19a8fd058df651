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
  /** Whether the server answers now; asks it, and gives up at once when it is away. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECTED_WITHIN_MS = 2_000;
/** A server that is away says so at once; one that answers slowly, or to a busy process, is not away. */
const ANSWERS_WITHIN_MS = 5_000;
/** Without it a server that was away for an hour is not tried again for up to two minutes. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/** Connects with the first call and again whenever it has to: a process starts and lives without Temporal. */
export function openTemporalClient({
  address,
  namespace,
  masterKeys,
}: TemporalClientOptions): TemporalClient {
  const connection = Connection.lazy({
    address,
    connectTimeout: CONNECTED_WITHIN_MS,
    channelArgs: RECONNECT,
  });
  const client = new Client({
    connection,
    namespace,
    dataConverter: clientDataConverter(masterKeys),
  });
  // Without the interceptor that repeats what failed: the first answer is the answer.
  const bell = Connection.lazy({
    address,
    connectTimeout: CONNECTED_WITHIN_MS,
    channelArgs: RECONNECT,
    interceptors: [],
  });
  const ask = () =>
    bell
      .withDeadline(Date.now() + ANSWERS_WITHIN_MS, () => bell.workflowService.getSystemInfo({}))
      .then(
        () => true,
        () => false,
      );
  let asking: Promise<boolean> | undefined;
  return {
    client,
    // Many callers at once share one question: what fifty ask at the same moment has one answer.
    isAvailable: () =>
      (asking ??= ask().finally(() => {
        asking = undefined;
      })),
    async close() {
      await asking;
      await Promise.all([bell.close(), connection.close()]);
    },
  };
}

/** Reads what workers wrote and writes what they can read; failures are only read. */
export function clientDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter {
  return { payloadCodecs: [new EncryptingPayloadCodec(masterKeys)] };
}

/** For workers, which also write failures. The path is part of the workflow bundle too. */
export function workerDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter & { failureConverterPath: string } {
  return {
    ...clientDataConverter(masterKeys),
    failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)),
  };
}
