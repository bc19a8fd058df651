/// How the bank's login is opened and how its end is noticed.
enum LoginWay: Sendable, Hashable {
  /// The system's authentication session, which ends at an address of this scheme.
  case customScheme(String)
  /// The system's authentication session, which ends at an https address of this host and path.
  /// From iOS 17.4; the host needs a `webcredentials` association.
  case https(host: String, path: String)
  /// The system's browser; the end comes as a universal link.
  case outside
}
