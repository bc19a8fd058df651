/** Memory that one piece of work holds. */
export interface HeldBytes {
  readonly bytes: number;
  /** True if `bytes` fit in the budget now, replacing the bytes already held. */
  fits(bytes: number): boolean;
  /** Holds `bytes` from now on, replacing the bytes already held. False, without a change, when they do not fit. */
  resize(bytes: number): boolean;
}

/** Bytes of memory that this process may hold at once, in all and for each key. */
export class ByteBudget {
  private held = 0;
  private readonly ofKeys = new Map<string, number>();

  constructor(private readonly limits: { total: number; perKey: number }) {}

  /** Starts empty, and ends with `resize(0)`. */
  open(key: string): HeldBytes {
    let own = 0;
    const fits = (bytes: number): boolean => bytes <= own || this.fits(key, bytes - own);
    return {
      get bytes() {
        return own;
      },
      fits,
      resize: (bytes) => {
        if (!fits(bytes)) return false;
        const more = bytes - own;
        own = bytes;
        this.held += more;
        const left = (this.ofKeys.get(key) ?? 0) + more;
        if (left === 0) this.ofKeys.delete(key);
        else this.ofKeys.set(key, left);
        return true;
      },
    };
  }

  private fits(key: string, more: number): boolean {
    const { total, perKey } = this.limits;
    return this.held + more <= total && (this.ofKeys.get(key) ?? 0) + more <= perKey;
  }
}
