/** Source: webhooks 7, "Answer". */
const MAX_READ = 16 * 1024;
const KEEP = 512;

/** The first 512 bytes of a response, of which at most 16 KiB are read so that the connection can be reused. */
export class AnswerExcerpt {
  private readonly kept: Buffer[] = [];
  private total = 0;

  /** @returns false when no more may be read */
  add(chunk: Buffer): boolean {
    if (this.total < KEEP) this.kept.push(chunk.subarray(0, KEEP - this.total));
    this.total += chunk.length;
    return this.total <= MAX_READ;
  }

  /** Null when the response had no body. */
  get text(): string | null {
    if (this.total === 0) return null;
    // PostgreSQL stores no NUL in text.
    return Buffer.concat(this.kept).toString('utf8').replaceAll('\0', '\uFFFD');
  }
}
