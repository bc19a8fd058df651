/// The system that opens a bank's login.
package struct LoginSystem: Sendable, Hashable {
  /// Major and minor version of iOS.
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// https addresses end an authentication session from iOS 17.4 on.
  var takesHTTPSCallbacks: Bool {
    (major, minor) >= (17, 4)
  }
}

/// How the bank's login is opened and how its end is noticed.
package enum LoginWay: Sendable, Hashable {
  /// The system's authentication session, which ends at an address of this scheme.
  case customScheme(String)
  /// The system's authentication session, which ends at an https address of this host and path.
  /// The host needs a `webcredentials` association with the app.
  case https(host: String, path: String)
  /// The system's browser; the end comes as a universal link.
  case outside

  /// - Returns: nil for an address that is not an app's, to which nothing could return
  package static func choose(redirectURI: String, system: LoginSystem) -> LoginWay? {
    if let address = WebAddress(redirectURI) {
      guard address.scheme == "https" else { return nil }
      guard system.takesHTTPSCallbacks, address.port == 443 else { return .outside }
      let path = address.rest.prefix { $0 != "?" && $0 != "#" }
      return .https(host: address.host, path: path.isEmpty ? "/" : String(path))
    }
    guard let scheme = appScheme(of: redirectURI) else { return nil }
    return .customScheme(scheme)
  }

  /// Schemes that browsers act on themselves; none of them is an app.
  private static let notApps: Set<String> = [
    "http", "https", "javascript", "file", "data", "blob", "about", "intent", "content", "ws",
    "wss",
    "ftp", "filesystem", "view-source", "tel", "sms", "mailto", "vbscript",
  ]

  private static func appScheme(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon].lowercased()
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.utf8.allSatisfy({ byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
      }), !notApps.contains(scheme)
    else { return nil }
    return scheme
  }
}
