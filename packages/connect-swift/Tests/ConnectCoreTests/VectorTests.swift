import Testing

@testable import ConnectCore

@Suite("The cases that every SDK of Connect runs")
struct VectorTests {
  /// Every file that a test below runs. A file that is missing here is one that no test runs.
  private static let claimed: Set<String> = [
    "auth-ways.json", "base-urls.json", "callbacks.json", "envelopes.json", "init.json",
    "navigation.json", "origins.json", "payloads.json", "return-addresses.json",
    "state-hashes.json",
    "texts.json", "tokens.json",
  ]

  @Test("All files of connect-vectors are run")
  func everyFileIsClaimed() {
    let files = Set(Vectors.files()).filter { !$0.hasPrefix("flows/") }
    #expect(files == Self.claimed)
    #expect(!Vectors.files(in: "flows/").isEmpty)
  }

  @Test("Tokens are accepted or refused", arguments: Vectors.cases("tokens.json"))
  func token(each: VectorCase) {
    #expect(each.then == .bool(each.given.string.map(LinkSessionToken.isValid) ?? false))
  }

  @Test("Base addresses are read", arguments: Vectors.cases("base-urls.json"))
  func baseAddress(each: VectorCase) {
    #expect(each.then == JSONValue(each.given.string.flatMap(BaseAddress.init)?.text))
  }

  @Test("Origins are read", arguments: Vectors.cases("origins.json"))
  func origin(each: VectorCase) {
    let address = each.given.string.flatMap(WebAddress.init)
    let origin = address.map { address -> JSONValue in
      [
        "scheme": .string(address.scheme), "host": .string(address.host),
        "port": .number(Double(address.port)),
      ]
    }
    #expect(each.then == origin ?? .null)
  }

  @Test("Return addresses are recognized", arguments: Vectors.cases("return-addresses.json"))
  func returnAddress(each: VectorCase) {
    #expect(each.then == JSONValue(each.given.string.flatMap(ReturnAddress.stateID)))
  }

  @Test("States are hashed", arguments: Vectors.cases("state-hashes.json"))
  func stateHash(each: VectorCase) {
    #expect(each.then == .string(StateHash.of(each.given.string ?? "")))
  }

  @Test("Messages are read", arguments: Vectors.cases("envelopes.json"))
  func envelope(each: VectorCase) {
    let text = each.given["text"]?.string ?? ""
    let channel = each.given["channel"]?.string ?? ""
    #expect(each.then == Envelope(text, channel: channel)?.wire ?? .null)
  }

  @Test("The init message is written", arguments: Vectors.cases("init.json"))
  func initPayload(each: VectorCase) throws {
    guard case .object(var setup) = each.given else { return }
    setup["base"] = "https://connect.example"
    let payload = FlowOptions(json: each.given).initPayload(
      token: each.given["link_session_token"]?.string,
      continueURL: each.given["continue_url"]?.string,
      setup: try #require(FlowSetup(json: .object(setup))))
    #expect(each.then == .string(JSONWriter.write(payload)))
  }

  @Test("Payloads are read", arguments: Vectors.cases("payloads.json"))
  func payload(each: VectorCase) {
    let payload = each.given["payload"] ?? .null
    let read: JSONValue? =
      switch each.given["type"]?.string {
      case "success": ConnectSuccess(wire: payload)?.wire
      case "exit": ConnectExit(wire: payload)?.wire
      case "error": ConnectError(wire: payload)?.wire
      case "event": ConnectEvent(wire: payload)?.wire
      case "ready": FlowReport.session(payload)
      default: .string("There is no such payload.")
      }
    #expect((read ?? .null).contains(each.then), "\(String(describing: read))")
    #expect((read == nil) == (each.then == .null))
  }

  @Test("Texts are those of every SDK", arguments: Vectors.cases("texts.json"))
  func texts(each: VectorCase) {
    let texts = ConnectTexts(language: each.given.string ?? "")
    let written: JSONValue = [
      "title": .string(texts.title), "loading": .string(texts.loading),
      "try_again": .string(texts.tryAgain), "close": .string(texts.close),
      "frame_unavailable": .string(texts.unavailable().displayedMessage),
      "popup_blocked": .string(texts.loginNotOpened().displayedMessage),
    ]
    #expect(written == each.then)
  }

  @Test("Login methods are chosen", arguments: Vectors.cases("auth-ways.json"))
  func loginWay(each: VectorCase) {
    let choice = LoginChoice.choose(
      authorizeURL: each.given["authorize_url"]?.string,
      redirectURI: each.given["redirect_uri"]?.string,
      system: LoginSystem(
        platform: each.given["platform"]?.string ?? "",
        version: each.given["system_version"]?.string))
    let chosen: JSONValue =
      switch choice {
      case .open(let way): way.json
      case .unavailable: ["way": "unavailable"]
      case .refuse: ["way": "refuse"]
      }
    #expect(each.then == chosen)
  }

  @Test("Callbacks are called in order", arguments: Vectors.cases("callbacks.json"))
  func callbacks(each: VectorCase) throws {
    var report = FlowReport()
    let now = try #require(each.given["at"]?.string)
    let calls = (each.given["steps"]?.array ?? []).flatMap { step -> [FlowCallback] in
      let payload = step["payload"] ?? .null
      return switch step["type"]?.string {
      case "ready": report.ready(payload)
      case "event": ConnectEvent(wire: payload).map { report.event($0) } ?? []
      case "error": ConnectError(wire: payload).map { report.error($0) } ?? []
      case "success": ConnectSuccess(wire: payload).map { report.success($0, at: now) } ?? []
      case "exit": ConnectExit(wire: payload).map { report.exit($0, at: now) } ?? []
      case "end":
        report.end(
          ConnectExitReason(rawValue: payload["reason"]?.string ?? ""),
          payload["error"].flatMap(ConnectError.init(wire:)), at: now)
      default: []
      }
    }
    let called = JSONValue.array(calls.map { [.string($0.name), $0.payload] })
    #expect(called.contains(each.then), "\(JSONWriter.write(called))")
  }

  @Test("Navigations are decided about", arguments: Vectors.cases("navigation.json"))
  func navigation(each: VectorCase) throws {
    let base = try #require(BaseAddress(each.given["base"]?.string ?? ""))
    let decision = Navigation.decide(
      each.given["address"]?.string ?? "", base: base,
      isMainFrame: each.given["main_frame"]?.bool ?? false,
      byUser: each.given["by_user"]?.bool ?? false,
      newWindow: each.given["new_window"]?.bool ?? false)
    #expect(each.then == .string(decision.rawValue))
  }
}
