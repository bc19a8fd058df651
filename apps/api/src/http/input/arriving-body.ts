/** Memory held for a body before its first byte arrives, unless it declares a smaller size. */
const FIRST_BYTES = 16 * 1024;

/**
 * The bytes of a body so far, in one piece of memory that doubles as they arrive. A body that trickles in byte by byte
 * costs no more than one that arrives in one piece, and one that only declares its size costs nearly nothing.
 */
export class ArrivingBody {
  private memory = Buffer.alloc(0);
  private size = 0;

  /**
   * @param limit its maximum bytes: its declared size, or the limit of its call
   * @param hold called with the memory the body takes, before it does; may throw
   */
  constructor(
    private readonly limit: number,
    private readonly hold: (bytes: number) => void,
  ) {
    this.enlarge(Math.min(FIRST_BYTES, limit));
  }

  /** @returns false when the body exceeds its limit; nothing is added then */
  add(chunk: Buffer): boolean {
    const size = this.size + chunk.length;
    if (size > this.limit) return false;
    if (size > this.memory.length)
      this.enlarge(Math.min(this.limit, Math.max(size, 2 * this.memory.length)));
    chunk.copy(this.memory, this.size);
    this.size = size;
    return true;
  }

  bytes(): Buffer {
    return this.memory.subarray(0, this.size);
  }

  private enlarge(bytes: number): void {
    this.hold(bytes);
    const larger = Buffer.allocUnsafeSlow(bytes);
    this.memory.copy(larger);
    this.memory = larger;
  }
}
