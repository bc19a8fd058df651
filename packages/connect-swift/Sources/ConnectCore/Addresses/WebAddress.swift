/// The origin of an http(s) address, and what follows it. Every decision about an address rests on
/// this, and none on Foundation's `URL`, whose leniency differs between versions: an address that is
/// read in two ways is how an origin check lets the wrong page pass. A text that a browser would have to
/// correct first is not an address: upper case, user information, backslashes, blanks, letters beyond
/// ASCII, an empty or padded port.
package struct WebAddress: Sendable, Hashable {
  package let scheme: String
  /// An IPv6 address keeps its brackets.
  package let host: String
  /// Never left out.
  package let port: Int
  /// Up to the first `?` or `#`; empty or beginning with `/`.
  package let path: String

  private static let schemes = [("http", 80), ("https", 443)]

  /// - Returns: nil for any other text
  package init?(_ address: String) {
    let bytes = Array(address.utf8)
    guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }),
      let (scheme, defaultPort) = Self.schemes.first(where: {
        bytes.starts(with: "\($0.0)://".utf8)
      })
    else { return nil }
    let afterScheme = bytes[(scheme.utf8.count + 3)...]
    let authority = afterScheme.upTo("/?#")
    guard let (host, portText) = Self.split(authority), Self.isHost(host),
      let port = portText.map(Self.readPort) ?? defaultPort
    else { return nil }
    self.scheme = scheme
    self.host = host.text
    self.port = port
    path = afterScheme[authority.endIndex...].upTo("?#").text
  }

  package func hasSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  private static func split(
    _ authority: ArraySlice<UInt8>
  ) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?)? {
    let bracket = authority.firstIndex(of: UInt8(ascii: "]"))
    let host = bracket.map { authority[...$0] } ?? authority.upTo(":")
    let rest = authority[host.endIndex...]
    if rest.isEmpty { return (host, nil) }
    return rest.first == UInt8(ascii: ":") ? (host, rest.dropFirst()) : nil
  }

  private static func readPort(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy(ASCII.isDigit), let port = Int(digits.text), port <= 65535
    else { return nil }
    return port
  }

  private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
    if host.first == UInt8(ascii: "[") {
      return host.count > 2
        && host.dropFirst().dropLast().allSatisfy {
          ASCII.isLowerHexadecimal($0) || $0 == UInt8(ascii: ":")
        }
    }
    let labels = host.parts(UInt8(ascii: "."))
    guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isInName) }), let last = labels.last
    else { return false }
    // URL Standard, host parsing, "ends in a number": browsers read such a host as IPv4.
    let isNumber =
      last.allSatisfy(ASCII.isDigit)
      || last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(ASCII.isLowerHexadecimal)
    return !isNumber || labels.count == 4 && labels.allSatisfy(isByte)
  }

  /// Of an IPv4 address, without padding.
  private static func isByte(_ label: ArraySlice<UInt8>) -> Bool {
    guard let value = UInt8(label.text) else { return false }
    return String(value) == label.text
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLower(byte) || "-_".utf8.contains(byte)
  }
}
