import { inflateSync } from 'node:zlib';
import { FIRST_STEP } from '../../../simulators/sandbox-bank/logins/login-progress.js';
import { showLogin } from '../../../simulators/sandbox-bank/logins/show-login.js';

describe('The security image', () => {
  it('is a small PNG whose size matches its header', () => {
    const login = { loginId: 'lgn_1', progress: { ...FIRST_STEP, stage: 'PICTURE' as const } };
    const { ask } = showLogin(login, { delayFactor: 1 });
    const picture = Buffer.from((ask as { png: string }).png, 'base64');
    expect(picture.length).toBeLessThan(200_000);
    expect(picture.subarray(0, 8)).toEqual(
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    );
    const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
    const dataLength = picture.readUInt32BE(33);
    expect(picture.toString('latin1', 37, 41)).toBe('IDAT');
    expect(inflateSync(picture.subarray(41, 41 + dataLength))).toHaveLength(height * (width + 1));
  });
});
