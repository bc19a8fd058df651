import Foundation
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The use of a session by an app")
  struct SessionTests {
    @Test("Everything that the app configures reaches the page with the handshake")
    func options() throws {
      let stage = try Stage()
      stage.use(
        try ConnectConfiguration(
          connectBaseURL: stage.session.configuration.connectBaseURL,
          linkSessionToken: "link_token", applicationName: "Pocket Ledger",
          theme: ConnectTheme().color(.accent, "#0a6b4f", dark: "#41c79a"), appearance: .dark,
          locale: "de", closeOnSuccess: false))
      stage.open()
      let options = stage.heard("init").first?["payload"]?["options"]
      #expect(options?["application_name"] == "Pocket Ledger")
      #expect(options?["appearance"] == "dark" && options?["locale"] == "de")
      #expect(options?["close_on_success"] == false)
      #expect(
        options?["theme"]?["colors"]?["accent"] == ["light": "#0a6b4f", "dark": "#41c79a"])
      #expect(stage.controller?.overrideUserInterfaceStyle == .dark)
      stage.say("close")
    }

    @Test("A new look reaches the open page; an appearance that is omitted stays")
    func update() throws {
      let stage = try Stage()
      stage.open()
      #expect(stage.controller?.overrideUserInterfaceStyle == .unspecified)
      stage.session.update(theme: ConnectTheme().color(.accent, "#123456"), appearance: .light)
      #expect(stage.controller?.overrideUserInterfaceStyle == .light)
      stage.session.update(theme: nil)
      let heard = stage.heard("theme").map { $0["payload"] }
      #expect(heard.map { $0?["appearance"] } == ["light", "light"])
      #expect(heard.map { $0?["theme"]?["colors"]?["accent"] ?? .null } == ["#123456", .null])
      stage.say("close")
    }

    @Test(
      "The app's dismiss asks, or closes without asking; a silent page is closed after 2 s")
    func dismiss() async throws {
      let stage = try Stage()
      stage.open()
      stage.session.dismiss()
      await stage.pass(.seconds(2))
      #expect(stage.session.isOpen)
      stage.session.dismiss(force: true)
      #expect(stage.heard("request_exit").map { $0["payload"]?["force"] } == [false, true])
      await stage.pass(.seconds(2))
      #expect(stage.called == ["event:exit", "exit"])
      #expect(stage.exits.map(\.reason) == [.programmatic])
      #expect(stage.presenter.presentedViewController == nil)
      #expect(!stage.hasTimeLimit)
    }

    @Test("A session that has ended is not opened again, and keeps its result")
    func presentedAfterItsEnd() async throws {
      let stage = try Stage()
      stage.open()
      stage.say("success", Stage.success)
      stage.session.present(from: stage.presenter)
      #expect(stage.presenter.presentedViewController == nil && ConnectSession.current == nil)
      #expect(try await stage.session.result() == .success(try #require(stage.successes.first)))
    }

    @Test("In its final callback a flow is no longer open", arguments: [true, false])
    func inFinalCallback(isSuccess: Bool) throws {
      let stage = try Stage()
      stage.open()
      stage.onFinal = { [stage] in
        #expect(!stage.session.isOpen && ConnectSession.current == nil)
      }
      if isSuccess { stage.say("success", Stage.success) } else { stage.say("close") }
      #expect(stage.successes.count + stage.exits.count == 1)
    }

    @Test("An open session that is presented again continues, and its caller keeps waiting")
    func presentedTwice() async throws {
      let stage = try Stage()
      stage.open()
      let waiting = Task { try await stage.session.result() }
      await stage.settle { false }
      stage.session.present(from: stage.presenter)
      #expect(stage.web?.loaded.count == 1)
      stage.say("success", Stage.success)
      #expect(try await waiting.value == .success(try #require(stage.successes.first)))
    }

    @Test("A configuration without a valid return address or a token opens nothing")
    func refusedConfiguration() async throws {
      let stage = try Stage(token: nil)
      stage.session.present(from: stage.presenter)
      await #expect(throws: ConnectRefusal.tokenIsMissing) { try await stage.session.result() }
      stage.use(
        try ConnectConfiguration(
          connectBaseURL: stage.session.configuration.connectBaseURL,
          linkSessionToken: "link_token", returnURL: URL(string: "pocketledger://accounts")))
      stage.session.present(from: stage.presenter)
      await #expect(throws: ConnectRefusal.noReturn) { try await stage.session.result() }
      #expect(stage.presenter.presentedViewController == nil && stage.called.isEmpty)
    }

    @Test("A link that resumes while a flow is open continues that flow")
    func resumeOpenFlow() throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      stage.open()
      stage.openLogin()
      let session = ConnectSession.resume(
        from: Stage.returnURL, configuration: configuration, presentingFrom: stage.presenter)
      #expect(session === stage.session)
      #expect(stage.heard("oauth_result").count == 1)
      stage.say("close")
    }

    @Test("A view that the app removes in onError calls no pending callback")
    func removedInCallback() async throws {
      let stage = try Stage()
      let controller = ConnectView(session: stage.session).makeUIViewController(context: .init())
      stage.page = (controller as? ConnectViewController)?.web.view
      stage.say("hello")
      let session = try #require(stage.session)
      stage.onError = {
        ConnectView.dismantleUIViewController(controller, coordinator: session)
      }
      stage.say(
        "exit",
        [
          "reason": "error", "session_id": "ses_1", "institution": .null, "search_term": .null,
          "error": ["error_id": "link_error.institution_unavailable"],
        ])
      #expect(stage.called == ["error"])
      #expect(try await session.result() == .exit(.programmatic))
    }

    @Test("A flow that discards its token keeps the token of a newer flow")
    func newerToken() throws {
      let stage = try Stage()
      let (older, newer) = (
        try stage.configuration(token: "older"), try stage.configuration(token: "newer")
      )
      let first = FlowRunner(older, timers: FlowTimers())
      let second = FlowRunner(newer, timers: FlowTimers())
      first.start(older)
      second.start(newer)
      first.handle(.exit(force: false))
      #expect(FlowRunner.keptTokens[newer.base] == "newer")
      second.handle(.exit(force: false))
      #expect(FlowRunner.keptTokens.isEmpty)
    }

    @Test("The closing event has the time of the device")
    func timestamp() throws {
      let stage = try Stage()
      let before = Date()
      stage.session.present(from: stage.presenter)
      stage.session.dismiss()
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      let time = try style.parse("\(try #require(stage.events.first).meta.timestamp)Z")
      #expect(abs(time.timeIntervalSince(before)) < 60)
    }

    @Test("A time limit expires by the clock of the device")
    func clock() async {
      let timers = FlowTimers()
      let passed = await withCheckedContinuation { continuation in
        timers.onTick = { continuation.resume(returning: $0) }
        timers.start(.ack, milliseconds: 1)
      }
      #expect(passed == .ack)
    }
  }
}
