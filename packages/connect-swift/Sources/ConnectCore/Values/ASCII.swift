/// Addresses are read by their bytes. Swift compares texts by what they look like: a letter with an
/// accent beside it is another character, and two characters that look alike are equal.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    isLower(byte | 0x20)
  }

  /// In lower case.
  static func isLowerHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) && (byte | 0x20) <= UInt8(ascii: "f")
  }
}

extension ArraySlice<UInt8> {
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The parts between the separators, empty ones too.
  func parts(_ separator: UInt8) -> [ArraySlice<UInt8>] {
    split(separator: separator, omittingEmptySubsequences: false)
  }

  /// Up to the first of these bytes, or all.
  func upTo(_ bytes: StaticString) -> ArraySlice<UInt8> {
    let ends = UnsafeBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount)
    return prefix { !ends.contains($0) }
  }
}
