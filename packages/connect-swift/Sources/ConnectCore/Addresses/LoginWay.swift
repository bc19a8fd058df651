/// The means to open the bank's login and to detect its end.
package enum LoginWay: Sendable, Hashable {
  /// The system's authentication session, which ends at an address of this scheme.
  case scheme(String)
  /// The system's authentication session, which ends at an https address of this host and path.
  /// The host needs a `webcredentials` association with the app.
  case https(host: String, path: String)
  /// The system's browser; the end arrives as a link that opens the app.
  case browser
}

package enum LoginChoice: Sendable, Hashable {
  case open(LoginWay)
  /// No return to an app is possible; the end user sees that the bank could not be opened.
  case unavailable
  /// Not the address of a bank; nothing happens.
  case refuse

  package static func choose(
    authorizeURL: String?, redirectURI: String?, system: LoginSystem
  ) -> LoginChoice {
    guard let authorizeURL, WebAddress(authorizeURL) != nil else { return .refuse }
    guard let redirectURI else { return .unavailable }
    if let address = WebAddress(redirectURI) {
      guard address.scheme == "https" else { return .unavailable }
      // A session can only watch the default port.
      guard system.takesHTTPSCallbacks, address.port == 443 else { return .open(.browser) }
      return .open(.https(host: address.host, path: address.path.isEmpty ? "/" : address.path))
    }
    return appScheme(of: redirectURI).map { .open(.scheme($0)) } ?? .unavailable
  }

  /// Schemes that systems and browsers act on themselves; none of them is an app's.
  private static let notApps: Set<String> = [
    "http", "https", "javascript", "file", "data", "blob", "about", "intent", "content", "ws",
    "wss",
    "ftp", "filesystem", "view-source", "tel", "sms", "mailto", "vbscript", "market", "itms-apps",
  ]

  private static func appScheme(of address: String) -> String? {
    let bytes = Array(address.utf8)[...]
    let given = bytes.upTo(":")
    let scheme = given.text.lowercased()
    guard let first = given.first, ASCII.isLetter(first),
      given.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }),
      bytes[given.endIndex...].starts(with: ":/".utf8), !notApps.contains(scheme)
    else { return nil }
    return scheme
  }
}

/// The system that opens a bank's login.
package struct LoginSystem: Sendable, Hashable {
  let isIOS: Bool
  /// Empty when unknown.
  private let version: [Int]

  package init(iOS version: [Int]) {
    isIOS = true
    self.version = version
  }

  /// As in the cases of packages/connect-vectors; nil is an unknown version.
  package init(platform: String, version: String?) {
    isIOS = platform == "ios"
    self.version = (version ?? "").split(separator: ".").compactMap { Int($0) }
  }

  /// https addresses end an authentication session from iOS 17.4 on.
  var takesHTTPSCallbacks: Bool {
    isIOS && !version.lexicographicallyPrecedes([17, 4])
  }
}
