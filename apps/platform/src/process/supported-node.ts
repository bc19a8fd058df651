// Every program imports this first: an older Node would end with an error of some library that needs a newer one.
const OLDEST_MAJOR = 24;
const { node: version } = process.versions;

if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `Tributary needs Node ${OLDEST_MAJOR} or newer, and ${process.execPath} is Node ${version}.\n`,
  );
  process.exit(1);
}
