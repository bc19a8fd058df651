import Foundation

/// SHA-256, since CryptoKit does not exist on every system that the core runs on. Source: FIPS 180-4.
enum SHA256 {
  private static let primes: [Double] = {
    var found: [Int] = []
    var candidate = 2
    while found.count < 64 {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found.map(Double.init)
  }()

  /// 4.2.2: the first 32 bits of the fractional parts of cube roots of primes.
  private static let constants = primes.map { fraction(cbrt($0)) }
  /// 5.3.3: the same of square roots.
  private static let initial = primes.prefix(8).map { fraction($0.squareRoot()) }

  private static func fraction(_ root: Double) -> UInt32 {
    UInt32((root - root.rounded(.down)) * 4_294_967_296)
  }

  /// - Returns: 32 bytes
  static func digest(of message: [UInt8]) -> [UInt8] {
    var hash = initial
    let padded = pad(message)
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &hash)
    }
    return hash.flatMap(bytes)
  }

  /// 5.1.1: a one bit, zeros, and the length in bits at the end of a block.
  private static func pad(_ message: [UInt8]) -> [UInt8] {
    let zeros = (119 - message.count % 64) % 64
    let length = UInt64(message.count) * 8
    return message + [0x80] + Array(repeating: 0, count: zeros)
      + bytes(UInt32(truncatingIfNeeded: length >> 32))
      + bytes(UInt32(truncatingIfNeeded: length))
  }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
    let words = schedule(block)
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for t in 0..<64 {
      let fromE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let fromA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = h &+ fromE &+ choice &+ constants[t] &+ words[t]
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ fromA &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { hash[index] &+= value }
  }

  /// 6.2.2, step 1: the 64 words of a block.
  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
      block[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for t in 16..<64 {
      let (early, late) = (words[t - 15], words[t - 2])
      let fromEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
      let fromLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
      words.append(words[t - 16] &+ fromEarly &+ words[t - 7] &+ fromLate)
    }
    return words
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }
}
