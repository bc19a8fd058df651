package enum LinkSessionToken {
  /// 1 to 256 characters of A-Z, a-z, 0-9, `_` and `-`. Source: connect 9.2.
  package static func isValid(_ token: String) -> Bool {
    (1...256).contains(token.utf8.count)
      && token.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
