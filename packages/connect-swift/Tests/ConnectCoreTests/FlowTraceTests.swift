import Testing

@testable import ConnectCore

/// Whole flows: what happens, and exactly the effects that each input must cause.
@Suite("The flows that every SDK around a WebView plays")
struct FlowTraceTests {
  struct Trace: Sendable, CustomTestStringConvertible {
    let file: String
    let flow: VectorCase
    var testDescription: String { "\(file): \(flow.name)" }
  }

  static let traces = Vectors.files(in: "flows/").flatMap { file in
    Vectors.cases(file).map { Trace(file: file, flow: $0) }
  }

  @Test("A flow causes exactly these effects", arguments: traces)
  func effects(trace: Trace) throws {
    var machine = FlowMachine(try #require(FlowSetup(json: trace.flow.given)))
    for (index, step) in (trace.flow.then.array ?? []).enumerated() {
      let json = try #require(step["input"])
      let input = try #require(FlowInput(json: json), "\(json)")
      let now = try #require(json["at"]?.number)
      let effects = JSONValue.array(machine.handle(input, at: Int(now)).map(\.json))
      #expect(
        effects == step["effects"],
        "Step \(index + 1): \(JSONWriter.write(effects)), not \(JSONWriter.write(step["effects"] ?? .null))"
      )
    }
  }
}
