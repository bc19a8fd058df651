import { TestWorkflowEnvironment } from '@temporalio/testing';

// Starts the vendor's server once, which makes the SDK download it into the folder, and exits.
const [downloadDir, version] = process.argv.slice(2);
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
});
await environment.teardown();
