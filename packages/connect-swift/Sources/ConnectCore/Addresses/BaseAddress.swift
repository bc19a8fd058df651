/// The address of Connect, such as `https://api.example/connect`.
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

  /// The page that a flow loads. Its address contains the channel and the number of the load, never the
  /// token.
  ///
  /// - Parameter load: counted from 1; no WebView loads a page again for another fragment alone
  package func page(_ entry: Entry, load: Int, channel: String) -> String {
    let query = load == 1 ? "" : "?load=\(load)"
    return "\(text)/\(entry.rawValue)\(query)#channel=\(channel)"
  }

  package enum Entry: String, Sendable {
    case start, `continue`
  }

  package func isHome(of other: String) -> Bool {
    WebAddress(other)?.hasSameOrigin(as: address) == true
  }

  /// Returns whether this is a page of Connect, below the base address.
  func isPage(_ other: WebAddress) -> Bool {
    let base = WebAddress(text)?.path ?? ""
    return other.hasSameOrigin(as: address) && other.path.utf8.starts(with: "\(base)/".utf8)
  }
}
