/// The address that a bank's login returns the end user to. Source: connect 7.
package enum ReturnAddress {
  /// - Returns: the `oauth_state_id`; nil for any other text and, as at the service, for an address
  ///   with several
  package static func stateID(of address: String) -> String? {
    let whole = Array(address.utf8)[...].upTo("#")
    guard !whole.contains(where: { $0 <= 0x20 }), hasScheme(whole),
      let mark = whole.firstIndex(of: UInt8(ascii: "?"))
    else { return nil }
    let name = "oauth_state_id=".utf8
    let ids = whole[(mark + 1)...].parts(UInt8(ascii: "&"))
      .filter { $0.starts(with: name) }
      .map { $0.dropFirst(name.count) }
    guard ids.count == 1, let id = ids.first, isRandomUUID(id) else { return nil }
    return id.text
  }

  private static func hasScheme(_ address: ArraySlice<UInt8>) -> Bool {
    let scheme = address.upTo(":?")
    guard let first = scheme.first, ASCII.isLetter(first),
      scheme.endIndex < address.endIndex, address[scheme.endIndex] == UInt8(ascii: ":")
    else { return false }
    return scheme.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0)
    }
  }

  /// Version 4, the only one that the service creates.
  private static func isRandomUUID(_ text: ArraySlice<UInt8>) -> Bool {
    let groups = text.parts(UInt8(ascii: "-"))
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy(ASCII.isHexadecimal) }
      && groups[2].first == UInt8(ascii: "4")
      && "89abAB".utf8.contains(groups[3].first ?? 0)
  }
}
