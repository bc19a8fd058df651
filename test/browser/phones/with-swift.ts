import { buildSwift } from '../../../tools/levels/swift-level.mjs';
import { findSwift, type Swift } from '../../../tools/levels/swift.mjs';

const swift = await findSwift();

/** A group of tests with the built Swift package. Without Swift it is skipped, counted and reported. */
export function describeWithSwift(name: string, tests: (swift: Swift) => void): void {
  if ('missing' in swift) {
    process.stderr.write(`SKIPPED: ${name}. ${swift.missing}\n`);
    describe.skip(name, () => {
      it('needs Swift', () => undefined);
    });
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      const { status, output } = await buildSwift(swift);
      if (status !== 0) throw new Error(output);
    });
    tests(swift);
  });
}
