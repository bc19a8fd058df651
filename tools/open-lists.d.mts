type Schema = Record<string, unknown>;

export function withOpenLists<T>(schema: T, write: (known: unknown[]) => Schema): T;
