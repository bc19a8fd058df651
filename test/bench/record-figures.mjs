import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from '../../tools/process.mjs';

const PAGE = `${ROOT}/docs/performance.md`;

/**
 * Writes the figures of benches between `<!-- figures: NAME -->` and `<!-- end -->` of docs/performance.md, with the
 * commit, the date and the machine.
 * @param reports the output of each bench with --json
 */
export function recordFigures(reports) {
  const commit = git('rev-parse', '--short=8', 'HEAD');
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', changed';
  let page = readFileSync(PAGE, 'utf8');
  for (const report of reports) {
    const place = new RegExp(`(<!-- figures: ${report.bench} -->\n)[^]*?(<!-- end -->)`);
    if (!place.test(page))
      throw new Error(`docs/performance.md has no place for the figures of ${report.bench}.`);
    const text = [
      measuredAt(report, `${commit}${changed}`),
      table(report.rows),
      report.notes.map((note) => `- ${note}`).join('\n'),
    ];
    page = page.replace(
      place,
      (_, start, end) => `${start}${text.filter((part) => part !== '').join('\n\n')}\n\n${end}`,
    );
  }
  writeFileSync(PAGE, page);
}

function measuredAt({ cores, load, stolen, node }, commit) {
  const taken =
    stolen === null ? '' : `, ${(100 * stolen).toFixed(1)} % of their time taken by the host`;
  return `Commit ${commit}, ${new Date().toISOString().slice(0, 10)}: ${cores} cores, load ${load.toFixed(1)}${taken}, Node ${node}.`;
}

function table(rows) {
  if (rows.length === 0) return '';
  const lines = rows.map(({ what, limit, ratio, perSecond, cpuMs, goal }) => [
    what,
    `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}) of ${limit}`,
    Math.round(perSecond.median).toLocaleString('en-US'),
    cpuMs === null ? '' : `${cpuMs.median.toFixed(2)} ms`,
    goal === null ? '' : `${goal}, ${ratio.median >= goal ? 'reached' : 'missed'}`,
  ]);
  const head = ['', 'Share: median (min–max)', 'Per second', 'CPU of the process', 'Goal'];
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
