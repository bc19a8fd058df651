import ConnectCore
import Foundation

// The flow of Connect as a program, for tests across languages: the setup in the first line of
// standard input, as `given` of a trace in packages/connect-vectors/flows, then one JSON input in each
// line, and for each the list of its effects in one line of standard output. Another setup is another
// process of an app, with nothing kept.

@main struct Driver {
  static func main() {
    guard let setup = readLine().flatMap(JSONReader.read).flatMap(FlowSetup.init(json:)) else {
      return fail("The first line must be a setup.")
    }
    var machine = FlowMachine(setup)
    while let line = readLine() {
      let read = JSONReader.read(line)
      if let setup = read.flatMap(FlowSetup.init(json:)) {
        machine = FlowMachine(setup)
        continue
      }
      guard let json = read, let input = FlowInput(json: json) else {
        return fail("There is no such input.")
      }
      let effects = machine.handle(input, at: Int(json["at"]?.number ?? 0))
      let answer = JSONWriter.write(.array(effects.map(\.json)))
      FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(1)
  }
}
