import { buildSwift } from '../../swift/swift-level.mjs';
import { findSwift, type Swift } from '../../swift/swift.mjs';

const swift = await findSwift();
/** The compiler shares the machine with every other level. */
const BUILT_WITHIN_MS = 1_800_000;

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
    }, BUILT_WITHIN_MS);
    tests(swift);
  });
}
