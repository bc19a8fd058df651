import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { ratiosTo, spreadOf, type Sample, type Spread } from './rounds.js';
import { watchStolenTime } from './stolen-share.js';

export interface Measured {
  what: string;
  /** The targeted share of the limit; null = reported for comparison only. */
  goal: number | null;
  limit: string;
  perSecond: Spread;
  ratio: Spread;
  cpuMs: Spread | null;
}

/** Prints the measurements as a table and writes them to the file of `--json`. */
export class Report {
  private readonly rows: Measured[] = [];
  private readonly facts: Record<string, unknown> = {};
  private readonly notes: string[] = [];
  private readonly stolenShare = watchStolenTime();

  constructor(private readonly name: string) {}

  add({
    what,
    goal = null,
    limit,
    limitSamples,
    samples,
  }: {
    what: string;
    goal?: number | null;
    limit: string;
    limitSamples: readonly Sample[];
    samples: readonly Sample[];
  }): void {
    const cpu = samples.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
    const row: Measured = {
      what,
      goal,
      limit,
      perSecond: spreadOf(samples.map(({ perSecond }) => perSecond)),
      ratio: spreadOf(ratiosTo(limitSamples, samples)),
      cpuMs: cpu.length === 0 ? null : spreadOf(cpu),
    };
    this.rows.push(row);
    const reached =
      goal === null
        ? ''
        : row.ratio.median >= goal
          ? `  goal ${goal} reached`
          : `  goal ${goal} MISSED`;
    const cpuText = row.cpuMs === null ? '' : `, ${row.cpuMs.median.toFixed(2)} ms CPU`;
    process.stdout.write(
      `  ${what.padEnd(44)} ${row.ratio.median.toFixed(2)} (${row.ratio.min.toFixed(2)}–${row.ratio.max.toFixed(2)}) of ${limit}; ${row.perSecond.median.toFixed(0)}/s${cpuText}${reached}\n`,
    );
  }

  /** Adds a fact besides the ratios: a count, a plan, a duration. */
  note(name: string, value: unknown, text: string): void {
    this.facts[name] = value;
    this.notes.push(text);
    process.stdout.write(`  ${text}\n`);
  }

  /** Prints what is being measured now; not part of the report. */
  progress(text: string): void {
    process.stderr.write(`  … ${text}\n`);
  }

  /**
   * Ends the bench. Reports the load of the machine and the time its host took, because both
   * affect every figure.
   */
  end(jsonFile: string | undefined): void {
    const load = loadavg()[0] ?? Number.NaN;
    const stolen = this.stolenShare();
    const stolenText =
      stolen === null
        ? ''
        : `, ${(100 * stolen).toFixed(1)} % of the cores' time taken by the host`;
    process.stdout.write(
      `  ${cpus().length} cores, load ${load.toFixed(1)}, Node ${process.versions.node}${stolenText}\n`,
    );
    if (jsonFile !== undefined)
      writeFileSync(
        jsonFile,
        `${JSON.stringify({ bench: this.name, cores: cpus().length, load, stolen, node: process.versions.node, rows: this.rows, facts: this.facts, notes: this.notes }, null, 2)}\n`,
      );
  }
}
