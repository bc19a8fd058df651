// Loaded before the entry of each supervised Node process. The channel to the supervisor closes
// when the supervisor exits in any way; then the process stops as if asked to, and in any case.
const LONGEST_STOP_MS = 15_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
