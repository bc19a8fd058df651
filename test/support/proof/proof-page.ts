import type { AdapterProof } from './adapter-proofs.js';

/** A promise of the conformance suite that was kept, or that does not apply. */
export interface PromiseRun {
  /** Its title, with that of its group. */
  promise: string;
  /** Null if it concerns the adapter as a whole. */
  institution: string | null;
  outcome: 'kept' | 'does not apply';
}

/** A walk through a vendor's sandbox that is kept in `providers/<adapter>/recordings`. */
export interface KeptRecording {
  file: string;
  /** `YYYY-MM-DD`. */
  day: string;
  origin: string;
}

/** The adapter's readings of responses in which one value was untidy. */
export interface UntidyFigures {
  /** The values of the responses, each place in a list counted once. */
  fields: number;
  /** The number of ways in which each was untidy. */
  kinds: readonly string[];
  /** The values that may invalidate their whole scope. */
  exceptions: readonly { place: string; reason: string }[];
}

/** The rules for untidy rows and listings, at every adapter. */
export interface RuleTable {
  adapters: readonly string[];
  rows: readonly {
    kind: string;
    /** The names of the inputs that prove it. */
    inputs: readonly string[];
    /** By adapter: the number of inputs that it read right, or why it has none. */
    cells: readonly (number | string)[];
  }[];
}

/** The extent of an adapter's proof, in the words of docs/live/README.md. */
export function proofSummary(
  { counterparts, vendor }: AdapterProof,
  recordings: readonly KeptRecording[],
): string {
  const day = recordings
    .map((recording) => recording.day)
    .sort()
    .at(-1);
  if (day !== undefined) return `level 4: tried with the vendor's sandbox on ${day}`;
  const levels = counterparts.map(
    ({ part, level }) => `level ${level}${part === null ? '' : ` for ${part}`}`,
  );
  return `${levels.join(', ')}: built, not yet tried with ${vendor}`;
}

export interface ProofPageParts {
  /** The kind of source. */
  title: string;
  proof: AdapterProof;
  recordings: readonly KeptRecording[];
  /** In the order of the suite. */
  runs: readonly PromiseRun[];
  institutions: readonly string[];
  /** Missing if they were not tried. */
  untidy?: UntidyFigures | undefined;
  rules: RuleTable;
}

/**
 * `providers/<adapter>/PROOF.md`. It contains no time of the run, so that equal runs write equal
 * pages.
 */
export function proofPage({
  title,
  proof,
  recordings,
  runs,
  institutions,
  untidy,
  rules,
}: ProofPageParts): string {
  const groups = groupRuns(runs);
  return `# Proof of the ${title} adapter

**${capitalized(proofSummary(proof, recordings))}.** The levels are explained in [docs/live](../../docs/live/README.md#how-far-each-is-proven).

The conformance suite writes this page from what it ran, and fails when the page says anything else. After a change of the suite: \`UPDATE_PROOF=1 npm test -- conformance\`.

## Counterparts

| Part | Level | On the other side |
|---|---|---|
${proof.counterparts
  .map(
    ({ part, level, what, folder }) => `| ${part ?? 'all'} | ${level} | ${what}: \`${folder}\` |`,
  )
  .join('\n')}
${proof.confirmations.map(({ what, test }) => `\n${what} (\`${test}\`)\n`).join('')}
## Recordings

${
  recordings.length === 0
    ? `None yet. \`npm run record\` keeps one of a vendor's sandbox, for operators who have keys; none is written by hand.`
    : `| File | Day | Origin |\n|---|---|---|\n${recordings
        .map(({ file, day, origin }) => `| \`recordings/${file}\` | ${day} | ${origin} |`)
        .join('\n')}`
}

## What the conformance suite ran

${counted(runs.length, 'run')} of ${counted(groups.count, 'promise')}, at ${counted(institutions.length, 'institution')} of the counterpart: ${institutions.map((id) => `\`${id}\``).join(', ')}.

${[
  section('Kept by the adapter as a whole', groups.whole),
  section('Kept at each institution', groups.everywhere),
  section('Kept at some institutions, and not applicable at the others', groups.somewhere),
  section('Not applicable, because the adapter lacks the capability', groups.nowhere),
]
  .filter((text) => text !== '')
  .join('\n')}${untidy === undefined ? '' : untidySection(untidy)}${rulesSection(rules)}`;
}

const untidySection = ({ fields, kinds, exceptions }: UntidyFigures): string => `
## Untidy answers

Each of ${counted(fields, 'value')} in the answers of the counterpart was changed in up to ${kinds.length} ways, one at a time: ${kinds.join(', ')}. Nothing changed but what the value belongs to, nothing counted as gone without a fault that says so, no fetch took more than 60 calls per account, no failure was called ours, and the next tidy answer was read completely. Every run tries each value in about half of the ways, each at one place; \`npm run test:all\` tries all of them at every place.

${
  exceptions.length === 0
    ? 'No value brings down more than what it belongs to.'
    : `${counted(exceptions.length, 'exception')}:\n\n| Value | Why |\n|---|---|\n${exceptions
        .map(({ place, reason }) => `| \`${place}\` | ${reason} |`)
        .join('\n')}`
}
`;

const rulesSection = ({ adapters, rows }: RuleTable): string => {
  const reasons = [...new Set(rows.flatMap(({ cells }) => cells))].filter(
    (cell) => typeof cell === 'string',
  );
  const marks = new Map(reasons.map((reason, at) => [reason, String.fromCharCode(97 + at)]));
  const cell = (it: number | string): string =>
    typeof it === 'number' ? String(it) : `none (${marks.get(it) ?? ''})`;
  return `
## Untidy rows and listings

Rules that every adapter shares (\`providers/rules\`), each proven at each adapter by the number of inputs in the table: all rows that can be read are returned once, the account is incomplete exactly if the input makes it so, and no other account changes. The suite fails when one adapter reads one input otherwise.

| Kind | ${adapters.join(' | ')} | Inputs |
|---|${adapters.map(() => '---|').join('')}---|
${rows
  .map(
    ({ kind, cells, inputs }) =>
      `| ${kind} | ${cells.map(cell).join(' | ')} | ${inputs.join('; ')} |`,
  )
  .join('\n')}
${[...marks].map(([reason, mark]) => `\n(${mark}) ${reason}\n`).join('')}`;
};

function groupRuns(runs: readonly PromiseRun[]) {
  const byPromise = new Map<string, PromiseRun[]>();
  for (const run of runs) byPromise.set(run.promise, [...(byPromise.get(run.promise) ?? []), run]);
  const groups = {
    count: byPromise.size,
    whole: [] as string[],
    everywhere: [] as string[],
    somewhere: [] as string[],
    nowhere: [] as string[],
  };
  for (const [promise, its] of byPromise) {
    const missing = its.filter(({ outcome }) => outcome === 'does not apply');
    if (missing.length === its.length) groups.nowhere.push(promise);
    else if (missing.length > 0)
      groups.somewhere.push(
        `${promise} (${its.length - missing.length} of ${its.length}; not at ${missing.map(({ institution }) => `\`${institution}\``).join(', ')})`,
      );
    else if (its.every(({ institution }) => institution === null)) groups.whole.push(promise);
    else groups.everywhere.push(promise);
  }
  return groups;
}

const section = (title: string, promises: readonly string[]): string =>
  promises.length === 0
    ? ''
    : `${title}:\n\n${promises.map((promise) => `- ${promise}\n`).join('')}`;

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
