import type { MasterSealContext, Sealer } from '../sealing/sealer.js';

/**
 * A column whose values are sealed directly by a master key. Everything else is sealed by a data
 * key.
 */
export interface SealedColumn {
  table: 'data_keys' | MasterSealContext['table'];
  /** The primary key, and its type. */
  key: string;
  keyType: 'text' | 'int' | 'bytea';
  column: string;
  /** An expression for the id of the master key that sealed the value. */
  masterKeyId: string;
  /** The column that repeats that id, if there is one. */
  idColumn?: string;
  /** Seals a value again, with the current master key. @throws SealedValueUnreadable */
  reseal(sealer: Sealer, row: SealedRow): Promise<Uint8Array>;
}

export interface SealedRow {
  key: string | number | Buffer;
  value: Uint8Array;
  masterKeyId: string;
}

/** Sealer.sealWithMaster prepends the length of the id and the id. */
const prependedId = (column: string): string =>
  `encode(substring(${column} FROM 2 FOR get_byte(${column}, 0)), 'escape')`;

/** Every such column: the type of MasterSealContext admits no other table. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'data_keys',
    key: 'owner',
    keyType: 'text',
    column: 'wrapped',
    masterKeyId: 'master_key_id',
    idColumn: 'master_key_id',
    reseal: async (sealer, { key, value, masterKeyId }) =>
      (await sealer.rewrap({ owner: String(key), masterKeyId, wrapped: value })).wrapped,
  },
  sealedByMaster('signing_keys', 'kid', 'text', 'sealed_private'),
  sealedByMaster('cursor_keys', 'key_id', 'int', 'sealed'),
  sealedByMaster('idempotency_records', 'scope_hash', 'bytea', 'outcome'),
];

function sealedByMaster(
  table: MasterSealContext['table'],
  key: string,
  keyType: SealedColumn['keyType'],
  column: string,
): SealedColumn {
  return {
    table,
    key,
    keyType,
    column,
    masterKeyId: prependedId(column),
    reseal: async (sealer, row) => {
      const at = { table, column, row: rowName(row.key) };
      return sealer.sealWithMaster(at, await sealer.openWithMaster(at, row.value));
    },
  };
}

/** The name of a row in SealContext and in messages. */
export function rowName(key: SealedRow['key']): string {
  return typeof key === 'object' ? key.toString('hex') : String(key);
}
