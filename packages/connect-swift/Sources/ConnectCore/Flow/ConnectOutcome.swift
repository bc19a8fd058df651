/// The end of a flow, for `await session.result()`.
public enum ConnectOutcome: Sendable, Hashable {
  case success(ConnectSuccess)
  case exit(ConnectExit)
}
