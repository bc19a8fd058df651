import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { MasterKey } from '../../../../prisma/sealing/master-keyring.js';
import { EncryptingPayloadCodec } from './payload-codec.js';

export interface TemporalClientOptions {
  address: string;
  namespace: string;
  masterKeys: readonly [MasterKey, ...MasterKey[]];
}

export interface TemporalClient {
  readonly client: Client;
  /** Whether the server responds now; fails fast when the server is down. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECTED_WITHIN_MS = 2_000;
/** A server that is down refuses immediately; one that responds slowly, or to a busy process, is up. */
const RESPONSE_DEADLINE_MS = 5_000;
/** Without it, a server that was down for an hour is not tried again for up to two minutes. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/** Connects with the first call and reconnects when needed: a process starts and runs without Temporal. */
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
  // Without the interceptor that retries failed calls: the first response decides.
  const probe = Connection.lazy({
    address,
    connectTimeout: CONNECTED_WITHIN_MS,
    channelArgs: RECONNECT,
    interceptors: [],
  });
  const askServer = () =>
    probe
      .withDeadline(Date.now() + RESPONSE_DEADLINE_MS, () =>
        probe.workflowService.getSystemInfo({}),
      )
      .then(
        () => true,
        () => false,
      );
  let pending: Promise<boolean> | undefined;
  return {
    client,
    // Concurrent callers share one request.
    isAvailable: () =>
      (pending ??= askServer().finally(() => {
        pending = undefined;
      })),
    async close() {
      await pending;
      await Promise.all([probe.close(), connection.close()]);
    },
  };
}

/** Reads and writes payloads of workers; failures are only read. */
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
