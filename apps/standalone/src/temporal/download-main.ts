import { TestWorkflowEnvironment } from '@temporalio/testing';

// Starts the vendor's server once, by which the SDK downloads it into the folder, and ends.
const [downloadDir, version] = process.argv.slice(2);
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
