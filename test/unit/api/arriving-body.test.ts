import { ArrivingBody } from '../../../apps/api/src/http/input/arriving-body.js';

const LIMIT = 1024 * 1024;

/** Adds the chunks, and returns the body with the memory it held after each step. */
function arrive(limit: number, chunks: Iterable<Buffer>): { body: ArrivingBody; held: number[] } {
  const held: number[] = [];
  const body = new ArrivingBody(limit, (bytes) => held.push(bytes));
  for (const chunk of chunks) body.add(chunk);
  return { body, held };
}

describe('A body that arrives', () => {
  it('uses at most twice its size when it arrives byte by byte, and is complete', () => {
    const bytes = Buffer.from('0123456789'.repeat(10_000));
    const { body, held } = arrive(
      LIMIT,
      Array.from(bytes, (byte) => Buffer.of(byte)),
    );
    expect(body.bytes().equals(bytes)).toBe(true);
    expect(Math.max(...held)).toBeLessThanOrEqual(2 * bytes.length);
  });

  it('uses little memory before it arrives when its declared size is large, and never more than declared', () => {
    const { held } = arrive(LIMIT, []);
    expect(held).toEqual([16 * 1024]);
    const whole = arrive(LIMIT, [Buffer.alloc(LIMIT - 1), Buffer.alloc(1)]);
    expect(whole.held).toEqual([16 * 1024, LIMIT - 1, LIMIT]);
  });

  it('is not added beyond its limit', () => {
    const { body } = arrive(10, [Buffer.from('01234567')]);
    expect(body.add(Buffer.from('890'))).toBe(false);
    expect(body.bytes().toString()).toBe('01234567');
  });

  it('is not held without memory for it', () => {
    const full = new Error('full');
    const body = new ArrivingBody(LIMIT, (bytes) => {
      if (bytes > 16 * 1024) throw full;
    });
    expect(() => body.add(Buffer.alloc(16 * 1024 + 1))).toThrow(full);
    expect(body.bytes()).toHaveLength(0);
  });
});
