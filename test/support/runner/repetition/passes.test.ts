import { countRun } from './count-run.js';

it('passes', () => void countRun('passes'));
