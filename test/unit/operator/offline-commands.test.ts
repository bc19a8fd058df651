import { runCommand } from '../../support/actors/operator.js';

it('providers adapters lists the settings of each adapter while no service runs', async () => {
  const { status, stdout, stderr } = await runCommand(['providers', 'adapters', '--json'], {
    DATA_DIR: '/nonexistent',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = JSON.parse(stdout) as { adapter: string }[];
  expect(listed.map(({ adapter }) => adapter)).toEqual(
    expect.arrayContaining(['simplefin', 'enable-banking', 'fdx']),
  );
});
