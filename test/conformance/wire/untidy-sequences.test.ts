import { SEED } from '../../support/runner/seed.js';
import { describeSequences } from './describe-sequences.js';

// untidy-sequences.long.test.ts has 500.
describeSequences(
  Array.from({ length: 30 }, (_, at) => SEED + at),
  120_000,
);
