import { existsSync, readFileSync } from 'node:fs';

// node deploy/release/release-notes.mjs v0.1.0   the section of CHANGELOG.md that a tag releases
const ROOT = new URL('../../', import.meta.url);

/**
 * The notes of a release.
 * @param tag such as `v0.1.0`
 * @param version that of package.json
 * @throws Error, with the next step, if the tag is not of that version or the changelog has no section with entries for it
 */
export function releaseNotes(tag, { version, changelog }) {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version in package.json.`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  if (section === undefined)
    throw new Error(
      `CHANGELOG.md has no section [${version}]: name what is [Unreleased] after it.`,
    );
  const notes = section.slice(section.indexOf('\n')).trim();
  if (!notes.includes('\n- ')) throw new Error(`The section [${version}] has no entry.`);
  return `${notes}\n`;
}

/** The OpenAPI document of a release, with which those after it are compared. */
export const keptDocument = (version) => `docs/released/openapi-${version}.json`;

/**
 * Checks that the document of a release is kept.
 * @param document the text of docs/openapi.json
 * @param kept the text of the kept one; null = there is none
 * @throws Error, with the next step
 */
export function checkKeptDocument(version, { document, kept }) {
  if (kept !== document)
    throw new Error(
      `${keptDocument(version)} ${kept === null ? 'is missing' : 'is another document'}: copy docs/openapi.json there, so that later changes are compared with this release.`,
    );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
  try {
    const { version } = JSON.parse(read('package.json'));
    const notes = releaseNotes(process.argv[2] ?? '', {
      version,
      changelog: read('CHANGELOG.md'),
    });
    const path = keptDocument(version);
    const kept = existsSync(new URL(path, ROOT)) ? read(path) : null;
    checkKeptDocument(version, { document: read('docs/openapi.json'), kept });
    process.stdout.write(notes);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
