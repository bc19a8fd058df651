/// The parts of an http(s) address that decide who is there. Foundation's `URL` is not used for
/// such decisions: its leniency differs between versions, and an address read in two ways is how
/// origin checks are passed by the wrong page.
package struct WebAddress: Sendable, Hashable {
  package let scheme: String
  /// Lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The default port of the scheme where the address has none.
  package let port: Int
  /// From the first `/`, `?` or `#` on, as given.
  let rest: String

  package var origin: String {
    port == Self.defaultPorts[scheme] ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  private static let defaultPorts = ["http": 80, "https": 443]

  /// - Returns: nil for anything but an unambiguous absolute http(s) address: user information,
  ///   backslashes, blanks and control characters are refused
  package init?(_ address: String) {
    let scalars = Array(address.unicodeScalars)
    guard !scalars.contains(where: { $0 == "\\" || $0.value <= 0x20 || $0.value == 0x7F }),
      let colon = scalars.firstIndex(of: ":"),
      scalars.dropFirst(colon + 1).starts(with: ["/", "/"])
    else { return nil }
    scheme = Self.lowercase(scalars[..<colon])
    guard let defaultPort = Self.defaultPorts[scheme] else { return nil }
    let authority = scalars[(colon + 3)...].prefix { !["/", "?", "#"].contains($0) }
    guard let parts = Self.split(authority), Self.isHost(parts.host) else { return nil }
    host = Self.lowercase(parts.host[...])
    guard let port = parts.port.map(Self.readPort) ?? defaultPort else { return nil }
    self.port = port
    rest = Self.text(scalars[authority.endIndex...])
  }

  private static func split(
    _ authority: ArraySlice<Unicode.Scalar>
  ) -> (host: [Unicode.Scalar], port: [Unicode.Scalar]?)? {
    let afterHost: Int
    if authority.first == "[" {
      guard let bracket = authority.firstIndex(of: "]") else { return nil }
      afterHost = bracket + 1
    } else {
      afterHost = authority.firstIndex(of: ":") ?? authority.endIndex
    }
    let host = Array(authority[..<afterHost])
    if afterHost == authority.endIndex { return (host, nil) }
    guard authority[afterHost] == ":" else { return nil }
    return (host, Array(authority[(afterHost + 1)...]))
  }

  private static func isHost(_ host: [Unicode.Scalar]) -> Bool {
    guard let first = host.first else { return false }
    if first == "[" {
      return host.count > 3
        && host[1..<(host.count - 1)].allSatisfy { $0 == ":" || $0 == "." || isHexadecimal($0) }
    }
    let refused: [Unicode.Scalar] = ["@", "%", "[", "]", "<", ">", "^", "|", "\"", "`", "{", "}"]
    return !host.contains(where: refused.contains)
  }

  private static func readPort(_ digits: [Unicode.Scalar]) -> Int? {
    guard (1...5).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }),
      let port = Int(text(digits[...])), (1...65535).contains(port)
    else { return nil }
    return port
  }

  private static func isHexadecimal(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || ("a"..."f").contains(scalar) || ("A"..."F").contains(scalar)
  }

  /// Only ASCII: whether other letters are equal is a question for the name system, not for us.
  private static func lowercase(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    text(
      scalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar($0.value + 32) ?? $0 : $0 }[...])
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
