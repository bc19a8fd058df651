/// The origin of an http(s) address, and what follows it. Every decision about an address rests on
/// this, and none on Foundation's `URL`, whose leniency differs between versions: an address that is
/// read in two ways is how an origin check lets the wrong page pass. So what a browser would have to
/// correct first is no address: upper case, user information, backslashes, blanks, letters beyond
/// ASCII, an empty or padded port.
package struct WebAddress: Sendable, Hashable {
  package let scheme: String
  /// An IPv6 address keeps its brackets.
  package let host: String
  /// Never left out.
  package let port: Int
  /// From the first `/`, `?` or `#` on.
  package let rest: String

  private static let defaultPorts = ["http": 80, "https": 443]

  /// - Returns: nil for any other text
  package init?(_ address: String) {
    guard !address.unicodeScalars.contains(where: Self.isNeverInAnAddress) else { return nil }
    let parts = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//"),
      let defaultPort = Self.defaultPorts[String(parts[0])]
    else { return nil }
    let afterSlashes = parts[1].dropFirst(2)
    let authority = afterSlashes.prefix { !"/?#".contains($0) }
    guard let (host, portText) = Self.split(authority), Self.isHost(host),
      let port = portText.map(Self.readPort) ?? defaultPort
    else { return nil }
    scheme = String(parts[0])
    self.host = String(host)
    self.port = port
    rest = String(afterSlashes[authority.endIndex...])
  }

  package func hasSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func isNeverInAnAddress(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "\\"
  }

  private static func split(_ authority: Substring) -> (host: Substring, port: Substring?)? {
    let bracket = authority.firstIndex(of: "]")
    let host = bracket.map { authority[...$0] } ?? authority.prefix { $0 != ":" }
    let rest = authority[host.endIndex...]
    if rest.isEmpty { return (host, nil) }
    return rest.first == ":" ? (host, rest.dropFirst()) : nil
  }

  private static func readPort(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.first != "0", text.utf8.allSatisfy(isDigit),
      let port = Int(text), port <= 65535
    else { return nil }
    return port
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("[") {
      return host.count > 2
        && host.dropFirst().dropLast().utf8.allSatisfy { isHexadecimal($0) || $0 == 0x3A }
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isInName) }),
      let last = labels.last
    else { return false }
    // URL Standard, host parsing, "ends in a number": browsers read such a host as IPv4.
    let isNumber =
      last.utf8.allSatisfy(isDigit)
      || last.hasPrefix("0x") && last.dropFirst(2).utf8.allSatisfy(isHexadecimal)
    return !isNumber || labels.count == 4 && labels.allSatisfy(isByte)
  }

  /// Of an IPv4 address, without padding.
  private static func isByte(_ label: Substring) -> Bool {
    guard label.utf8.allSatisfy(isDigit), let value = UInt8(label) else { return false }
    return String(value) == label
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
