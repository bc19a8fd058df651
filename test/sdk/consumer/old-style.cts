// Compiled, never run: the same packages through require.
import connectJs = require('@tributary/connect-js');
import connectReact = require('@tributary/connect-react');

const connect: connectJs.Connect = connectJs.createConnect({
  connectBaseUrl: 'https://api.example/connect',
  onSuccess: () => undefined,
});
const button: typeof connectReact.ConnectButton = connectReact.ConnectButton;
export = { connect, button };
