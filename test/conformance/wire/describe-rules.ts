import { doesNotApply } from '../kept-promises.js';
import { RULES, ruleCell } from './rules.js';
import { WIRE_SUBJECTS } from './wire-subjects.js';

/** Tests that an adapter follows each rule for untidy rows and listings, with every input. */
export function describeRules(name: string): void {
  const subject = WIRE_SUBJECTS[name];
  if (subject === undefined) throw new Error(`${name} has no source whose answers a test writes`);
  for (const rule of RULES)
    it(rule.promise, async () => {
      if (typeof ruleCell(rule, subject) === 'string') return doesNotApply();
      const wrong: Record<string, string> = {};
      for (const [input, prove] of Object.entries(rule.inputs))
        await prove(subject).catch((error: Error) => (wrong[input] = error.message));
      expect(wrong).toEqual({});
    });
}
