import ConnectCore
import Foundation

// Plays one flow for tests in other languages: the settings in the first line, then one JSON input in
// each line, and for each the array of its effects in one line. `"fixed": true` in the settings gives
// channels and times that a test can predict.

@main struct Driver {
  static func main() {
    guard let first = readLine(), let json = JSONReader.read(first),
      let settings = FlowSettings(json: json)
    else { return fail("The first line must be settings.") }
    var machine = FlowMachine(settings)
    var loads = 0
    let isFixed = json["fixed"]?.bool ?? false
    while let line = readLine() {
      guard let input = JSONReader.read(line).flatMap(FlowInput.init(json:)) else {
        return fail("There is no such input.")
      }
      let channel = isFixed ? FlowTrace.channel(loads + 1) : UUID().uuidString
      let effects = machine.handle(input, channel: channel, now: FlowTrace.now)
      loads += effects.filter { if case .load = $0 { true } else { false } }.count
      let answer = JSONWriter.write(.array(effects.map(\.json)))
      FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
  }
}
