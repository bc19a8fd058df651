import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  payload: AdapterPayload;
  /** Milliseconds since 1970; Infinity = never. */
  endsAt: number;
}

/** The state of one institution's authorization server, for the lifetime of the process. */
export interface GrantStorage {
  adapter: (model: string) => Adapter;
  /** Ends every access token immediately, as if it had expired; refresh tokens stay. */
  endAccessTokens(): void;
  clear(): void;
}

/**
 * @param findClient the registered client with this id, in the metadata names of RFC 7591
 */
export function createGrantStorage(
  findClient: (clientId: string) => AdapterPayload | undefined,
): GrantStorage {
  const models = new Map<string, Map<string, Kept>>();
  const rowsOf = (model: string): Map<string, Kept> => {
    const rows = models.get(model) ?? new Map<string, Kept>();
    models.set(model, rows);
    return rows;
  };

  function revokeByGrantId(rows: Map<string, Kept>, grantId: string): void {
    for (const [id, { payload }] of rows) if (payload.grantId === grantId) rows.delete(id);
  }

  function adapter(model: string): Adapter {
    const rows = rowsOf(model);
    const find = (id: string): Promise<AdapterPayload | undefined> => {
      if (model === 'Client') return Promise.resolve(findClient(id));
      const kept = rows.get(id);
      if (kept !== undefined && kept.endsAt <= Date.now()) rows.delete(id);
      return Promise.resolve(rows.get(id)?.payload);
    };
    return {
      upsert: (id, payload, expiresIn) => {
        const endsAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1_000;
        rows.set(id, { payload, endsAt });
        return Promise.resolve();
      },
      find,
      findByUid: (uid) =>
        Promise.resolve([...rows.values()].find(({ payload }) => payload.uid === uid)?.payload),
      findByUserCode: () => Promise.resolve(undefined),
      consume: (id) => {
        const kept = rows.get(id);
        if (kept !== undefined)
          kept.payload = { ...kept.payload, consumed: Math.floor(Date.now() / 1_000) };
        return Promise.resolve();
      },
      destroy: (id) => Promise.resolve(void rows.delete(id)),
      revokeByGrantId: (grantId) => Promise.resolve(revokeByGrantId(rows, grantId)),
    };
  }

  return {
    adapter,
    endAccessTokens: () => rowsOf('AccessToken').clear(),
    clear() {
      for (const rows of models.values()) rows.clear();
    },
  };
}
