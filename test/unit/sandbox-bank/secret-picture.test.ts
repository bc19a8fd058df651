import { inflateSync } from 'node:zlib';
import { SECRET_PICTURE } from '../../../simulators/sandbox-bank/logins/secret-picture.js';

describe('The security image', () => {
  it('is a small PNG whose size matches its header', () => {
    expect(SECRET_PICTURE.length).toBeLessThan(200_000);
    expect(SECRET_PICTURE.subarray(0, 8)).toEqual(
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    );
    const [width, height] = [SECRET_PICTURE.readUInt32BE(16), SECRET_PICTURE.readUInt32BE(20)];
    const dataLength = SECRET_PICTURE.readUInt32BE(33);
    expect(SECRET_PICTURE.toString('latin1', 37, 41)).toBe('IDAT');
    expect(inflateSync(SECRET_PICTURE.subarray(41, 41 + dataLength))).toHaveLength(
      height * (width + 1),
    );
  });
});
