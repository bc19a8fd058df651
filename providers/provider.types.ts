/** Bytes only the adapter understands. The core seals them and never looks inside. */
export type ProviderSecret = Uint8Array;

/** A sandbox world as sandbox providers know it. */
export interface WorldFacts {
  /** Unguessable, the same for all institutions. */
  worldId: string;
  /** A whole number as text: the same seed gives the same data. Missing = the source knows the world already. */
  worldSeed?: string;
  /** What time it is there, which dates its data; null or missing = real time. */
  worldTime?: Date | null;
}
