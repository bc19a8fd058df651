import { explainConnectionFailure } from '../../../apps/platform/src/temporal/connection-failure.js';

const ENDED = 'it ended the connection: it may require TLS';

/** The texts of rustls and Node.js for a connection that the server ends, which depend on how far it was written. */
it.each([
  'transport error: tonic::transport::Error(Transport, hyper::Error(Io, Kind(ConnectionReset)))',
  'transport error: tonic::transport::Error(Transport, hyper::Error(Io, Kind(BrokenPipe)))',
  'transport error: tonic::transport::Error(Transport, hyper::Error(Io, Kind(ConnectionAborted)))',
  'transport error: hyper::Error(Io, Custom { kind: UnexpectedEof, error: "eof" })',
  'transport error: hyper::Error(Io, Os { code: 104, kind: ConnectionReset, message: "Connection reset by peer" })',
  '14 UNAVAILABLE: Connection dropped',
  '14 UNAVAILABLE: read ECONNRESET',
  '14 UNAVAILABLE: write EPIPE',
])('explains a connection that the server ended: %s', (text) => {
  expect(explainConnectionFailure(new Error('outer', { cause: new Error(text) }))).toMatch(ENDED);
});
