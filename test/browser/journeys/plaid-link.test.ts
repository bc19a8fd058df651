import { connect, describePlaidApp, said, withData } from './support/plaid-app.js';

// plaid-link.long.test.ts has the other users.
describePlaidApp((stage) => {
  it('links Credentials Bank and finishes with an exchange', async () => {
    const { page, person, elsewhere } = await stage.opened(connect);
    await person.chooseBank('Credentials Bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await said(page, 'Credentials Bank is connected.');
    const item = await withData(page, 'Credentials Bank');
    await item.getByText('Everyday Checking 1101').waitFor();
    // The vendor's script was never requested.
    expect(elsewhere).toEqual([]);
  });
});
