// @ts-expect-error there is no such module
import { nothing } from './not-there.js';

it('never runs', () => expect(nothing).toBe(1));
