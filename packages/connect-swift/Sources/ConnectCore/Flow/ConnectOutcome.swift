/// How a flow ended, for `await session.result()`.
public enum ConnectOutcome: Sendable, Hashable {
  case success(ConnectSuccess)
  case exit(ConnectExit)
}
