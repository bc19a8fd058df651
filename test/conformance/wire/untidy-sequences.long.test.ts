import { describeSequences } from './describe-sequences.js';

describeSequences([...Array(500).keys()], 1_800_000);
