import { parse, stringify } from 'yaml';

export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
}
interface RuleFile {
  groups: { name: string; rules: AlertRule[] }[];
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const RANGE = /\[(\d+)([smh])\]/g;
/** A threshold for an age or a time, at the end of a line of a rule. */
const SECONDS = /(_seconds\)(?: - time\(\))? [<>]) (\d+(?: \* \d+)*)$/gm;

/** The rules of a file of alerts. */
export const rulesOf = (text: string): AlertRule[] =>
  (parse(text) as RuleFile).groups.flatMap(({ rules }) => rules);

/**
 * Rules of which each takes effect sooner by a factor: `for`, ranges, and thresholds in seconds are
 * divided, and their expressions stay the same.
 * @param text a file of alerts
 * @param speedOf the factor, by the name of the alert
 */
export function hastenRules(text: string, speedOf: (alert: string) => number): string {
  const file = parse(text) as RuleFile;
  for (const rule of file.groups.flatMap(({ rules }) => rules)) {
    const speed = speedOf(rule.alert);
    const sooner = (count: string, unit: string) =>
      `${Math.round((Number(count) * (UNIT_MS[unit] ?? Number.NaN)) / speed)}ms`;
    rule.for = rule.for.replace(/^(\d+)([smh])$/, (_, count: string, unit: string) =>
      sooner(count, unit),
    );
    rule.expr = rule.expr
      .replaceAll(RANGE, (_, count: string, unit: string) => `[${sooner(count, unit)}]`)
      .replaceAll(SECONDS, `$1 $2 / ${speed}`);
  }
  return stringify(file, { lineWidth: 0 });
}
