import type { Client, ClientConfig, Pool, PoolConfig } from 'pg';

export function connectTo(config: string | ClientConfig): Promise<Client>;
export function openPool(config: PoolConfig): Pool;
export function onConnection<T>(
  config: string | ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T>;
export function queryAt<Row extends object = Record<string, unknown>>(
  config: string | ClientConfig,
  statement: string,
  values?: readonly unknown[],
): Promise<Row[]>;
