import { manifestOf } from '../../../providers/manifests.js';
import type { RuleTable } from '../../support/proof/proof-page.js';
import { RULES, ruleCell } from './rules.js';
import { WIRE_SUBJECTS } from './wire-subjects.js';

/** Each rule at each adapter: every one of these tests runs with the suite. */
export function ruleTable(): RuleTable {
  const subjects = Object.entries(WIRE_SUBJECTS);
  return {
    adapters: subjects.map(([name]) => manifestOf(name)?.title ?? 'Sandbox'),
    rows: RULES.map((rule) => ({
      kind: rule.kind,
      inputs: Object.keys(rule.inputs),
      cells: subjects.map(([, subject]) => ruleCell(rule, subject)),
    })),
  };
}
