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
  /** Whether the server responds; fails fast when it is unreachable. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * An unreachable server fails at once; a slow one, or a busy process, is not treated as
 * unreachable.
 */
const RESPONSE_TIMEOUT_MS = 5_000;
/** Otherwise, a server that was down for an hour would not be retried for up to two minutes. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/**
 * Connects on the first call and reconnects as needed, so a process can start and run without
 * Temporal.
 */
export function openTemporalClient({
  address,
  namespace,
  masterKeys,
}: TemporalClientOptions): TemporalClient {
  const connection = Connection.lazy({
    address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: RECONNECT,
  });
  const client = new Client({
    connection,
    namespace,
    dataConverter: clientDataConverter(masterKeys),
  });
  // Without the retry interceptor, so that the first failure counts.
  const probe = Connection.lazy({
    address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    channelArgs: RECONNECT,
    interceptors: [],
  });
  const ping = () =>
    probe
      .withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, () => probe.workflowService.getSystemInfo({}))
      .then(
        () => true,
        () => false,
      );
  let pinging: Promise<boolean> | undefined;
  return {
    client,
    // Concurrent callers share one request.
    isAvailable: () =>
      (pinging ??= ping().finally(() => {
        pinging = undefined;
      })),
    async close() {
      await pinging;
      await Promise.all([probe.close(), connection.close()]);
    },
  };
}

/** Reads and writes the payloads of workers; clients only read failures. */
export function clientDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter {
  return { payloadCodecs: [new EncryptingPayloadCodec(masterKeys)] };
}

/** For workers, which also write failures. The path is also part of the workflow bundle. */
export function workerDataConverter(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
): DataConverter & { failureConverterPath: string } {
  return {
    ...clientDataConverter(masterKeys),
    failureConverterPath: fileURLToPath(new URL('./failure-converter.js', import.meta.url)),
  };
}
