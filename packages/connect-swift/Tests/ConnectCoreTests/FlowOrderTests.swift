import Testing

@testable import ConnectCore

/// Properties of every order of inputs. The inputs are those of all traces, shuffled with fixed seeds.
@Suite("A flow whose inputs come in any order")
struct FlowOrderTests {
  static let inputs = FlowTraceTests.traces.flatMap { $0.flow.then.array ?? [] }
    .compactMap { $0["input"] }

  @Test(
    "Ends at most once, sends nothing after that, and keeps the token to init and the question to the service",
    arguments: 1...40)
  func anyOrder(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let setup = try #require(FlowTraceTests.traces.first?.flow.given)
    var machine = FlowMachine(try #require(FlowSetup(json: setup)))
    var ended: Set<Int> = []
    for (index, json) in Self.inputs.shuffled(using: &random).prefix(400).enumerated() {
      let input = try #require(FlowInput(json: json))
      for effect in machine.handle(input, at: 1_772_446_500_000 + index * 500) {
        switch effect {
        case .call(let flow, let callback):
          #expect(!ended.contains(flow), "\(callback.name) after the end of flow \(flow)")
          switch callback {
          case .success, .exit: ended.insert(flow)
          default: break
          }
        case .send(let message) where message.type == "init": continue
        case .ask: continue
        default: break
        }
        // Of every trace; a token that the page itself sends in a payload is another one.
        #expect(!JSONWriter.write(effect.json).contains("sandbox_ls_"))
      }
    }
    #expect(!ended.isEmpty)
    // In every state the app can remove the flow, and nothing remains.
    _ = machine.handle(.unmount, at: 1_772_446_900_000)
    #expect(machine.state == .idle)
    #expect(machine.handle(.back, at: 1_772_446_900_000).isEmpty)
  }
}

/// Random numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
