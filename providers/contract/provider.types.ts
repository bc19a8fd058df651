/** Bytes that only the adapter understands. The core seals them and never reads them. */
export type ProviderSecret = Uint8Array;

/** A sandbox world, as passed to sandbox providers. */
export interface WorldFacts {
  /** Unguessable, and the same for all institutions. */
  worldId: string;
  /**
   * An integer as text; equal seeds result in equal data. Missing = the provider already knows the
   * world.
   */
  worldSeed?: string;
  /** The current time in the world, which dates its data; null or missing = real time. */
  worldTime?: Date | null;
}

/** The outcome of an attempt to end a permission at its source. */
export type RevocationOutcome = 'revoked' | 'not_offered';
