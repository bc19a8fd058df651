import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './process.mjs';

const SBOM = 'dist/sbom.cdx.json';
const NOTE = 'docs/dependencies.md';
/** Advisories below this level are shown by `npm audit` alone. */
const AUDIT_LEVEL = 'high';

/**
 * docs/dependencies.md describes exactly the packages that run a script at their installation.
 * @returns what is wrong, or nothing
 */
export function checkInstallScripts({
  lock = readJson('package-lock.json'),
  note = readFileSync(join(ROOT, NOTE), 'utf8'),
} = {}) {
  const found = new Set(
    Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
  const described = new Set([...note.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name));
  const undescribed = [...found].filter((name) => !described.has(name));
  const gone = [...described].filter((name) => !found.has(name));
  const problems = [
    ...undescribed.map(
      (name) => `${name} runs a script at its installation and is missing from ${NOTE}`,
    ),
    ...gone.map((name) => `${NOTE} describes ${name}, which runs no script at its installation`),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}

/**
 * Writes the bill of materials (CycloneDX) of the whole lockfile to dist/sbom.cdx.json; development dependencies are
 * marked as such. (`npm sbom --omit dev` also leaves out what production and development share.)
 * @returns what is wrong, or nothing
 */
export async function writeBillOfMaterials() {
  const { stdout } = await npm(
    'sbom --sbom-format cyclonedx --sbom-type application --package-lock-only',
  );
  const document = JSON.parse(stdout);
  const { components, metadata } = document;
  // npm names it after the folder.
  metadata.component.name = readJson('package.json').name;
  const named = new Set(
    components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)),
  );
  const missing = Object.keys(readJson('package.json').dependencies).filter(
    (name) => !named.has(name),
  );
  if (missing.length > 0) return `The bill of materials lacks ${missing.join(', ')}`;
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, SBOM), JSON.stringify(document, null, 2));
  return undefined;
}

/**
 * Requests known vulnerabilities of the packages that a running service loads from the registry.
 * @returns `problem`: the findings, or nothing; `skipped`: the reason that the registry could not be queried, or nothing
 */
export async function auditDependencies() {
  const { stdout } = await npm(`audit --json --omit dev --audit-level ${AUDIT_LEVEL}`).catch(
    (error) => error,
  );
  return readAudit(stdout);
}

export function readAudit(stdout) {
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return { skipped: 'npm audit printed no report' };
  }
  if (report.vulnerabilities === undefined) {
    return {
      skipped: `the registry did not answer (${report.statusCode ?? report.error?.code ?? 'no reason given'})`,
    };
  }
  const serious = Object.values(report.vulnerabilities).filter(
    ({ severity }) => severity === 'high' || severity === 'critical',
  );
  return serious.length === 0
    ? {}
    : {
        problem: serious
          .map(({ name, severity, range }) => `${name} ${range}: ${severity}`)
          .join('\n'),
      };
}

function npm(command) {
  return promisify(execFile)('npm', command.split(' '), {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
