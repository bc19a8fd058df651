/// Where Connect is hosted, such as `https://api.example/connect`.
package struct BaseAddress: Sendable, Hashable {
  /// Without query, fragment and trailing slashes.
  package let text: String
  private let address: WebAddress

  /// - Returns: nil when this is not an http(s) address in lower case
  package init?(_ text: String) {
    guard let address = WebAddress(text) else { return nil }
    var kept = Array(text.utf8)[...].upTo("?#")
    while kept.last == UInt8(ascii: "/") { kept.removeLast() }
    self.address = address
    self.text = kept.text
  }

  /// The channel is the only thing an address of Connect contains: never the token.
  package func start(channel: String) -> String { "\(text)/start#channel=\(channel)" }
  package func `continue`(channel: String) -> String { "\(text)/continue#channel=\(channel)" }

  package func isHome(of other: String) -> Bool {
    WebAddress(other)?.hasSameOrigin(as: address) == true
  }

  /// Whether this is one of the two pages of Connect.
  func isPage(_ other: WebAddress) -> Bool {
    let base = address.path.reversed().drop { $0 == "/" }.reversed()
    return other.hasSameOrigin(as: address)
      && ["/start", "/continue"].contains { other.path == String(base) + $0 }
  }
}
