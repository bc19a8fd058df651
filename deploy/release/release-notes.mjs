import { readFileSync } from 'node:fs';

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

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
  try {
    const { version } = JSON.parse(read('package.json'));
    process.stdout.write(
      releaseNotes(process.argv[2] ?? '', { version, changelog: read('CHANGELOG.md') }),
    );
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
