import AuthenticationServices
import Testing
import WebKit

@testable import Connect

extension FlowsOnStubs {
  @Suite("Links that open an app") @MainActor
  struct LinkTests {
    private func question(_ request: URLRequest?) -> JSONValue? {
      request?.httpBody.flatMap { JSONReader.read(String(decoding: $0, as: UTF8.self)) }
    }

    @Test("A session is released once its return was refused", arguments: [true, false])
    func released(wasUsed: Bool) async throws {
      let stage = try Stage()
      if wasUsed { FlowRunner.endedReturns = [Stage.stateID] }
      stage.answer = (200, #"{"resumable":false}"#)
      weak var kept: ConnectSession?
      var isDenied = false
      do {
        var configuration = try stage.configuration(token: nil)
        configuration.returnURL = Stage.returnURL
        let session = ConnectSession(configuration)
        kept = session
        session.whenResumable({}, otherwise: { isDenied = true })
      }
      await stage.settle { isDenied && kept == nil }
      #expect(isDenied && kept == nil)
    }

    @Test("A session whose return was refused asks again when it is presented again")
    func presentedAgain() async throws {
      let stage = try Stage()
      stage.answer = (200, #"{"resumable":false}"#)
      var configuration = try stage.configuration(token: nil)
      configuration.returnURL = Stage.returnURL
      stage.use(configuration)
      stage.session.present(from: stage.presenter)
      await stage.settle { false }
      #expect(stage.questions.count == 1 && stage.controller == nil)
      stage.answer = (200, #"{"resumable":true}"#)
      stage.session.present(from: stage.presenter)
      await stage.settle { stage.session.isOpen }
      #expect(stage.questions.count == 2 && stage.controller != nil)
      stage.session.dismiss()
    }

    @Test("A return that another flow used while the service was asked is not continued again")
    func usedMeanwhile() async throws {
      let stage = try Stage()
      let session = ConnectSession.resume(
        from: Stage.returnURL, configuration: try stage.configuration(token: "link_token"),
        presentingFrom: stage.presenter)
      FlowRunner.endedReturns = [Stage.stateID]
      await stage.settle { session?.isOpen == true }
      #expect(session?.isOpen == false && stage.controller == nil)
      await #expect(throws: ConnectRefusal.returnWasTaken) { try await session?.result() }
    }

    @Test("The service is asked before a link covers the app, and with the token that continues")
    func question() async throws {
      let stage = try Stage()
      await stage.resume(try stage.configuration(token: "link_token"))
      let request = try #require(stage.questions.first)
      #expect(request.url?.absoluteString == "\(Stage.origin)/connect/api/session/resumable")
      #expect(request.httpMethod == "POST" && request.timeoutInterval == 10)
      #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
      #expect(
        question(request) == [
          "url": .string(Stage.returnURL.absoluteString), "link_session_token": "link_token",
        ])
      #expect(stage.controller != nil)
      ConnectSession.current?.dismiss()
    }

    @Test(
      "A link with nothing to continue covers nothing, and the kept token stays for the right one",
      arguments: [
        (200, #"{"resumable":false}"#), (200, "{}"), (200, "not JSON"),
        (404, #"{"resumable":true}"#),
      ])
    func denied(status: Int, body: String) async throws {
      let stage = try Stage()
      stage.open()
      stage.session.destroy()
      stage.answer = (status, body)
      let session = ConnectSession.resume(
        from: Stage.otherReturnURL, configuration: try stage.configuration(token: nil),
        presentingFrom: stage.presenter)
      await #expect(throws: ConnectRefusal.nothingToContinue) { try await session?.result() }
      #expect(stage.questions.count == 1)
      #expect(ConnectSession.current == nil && session?.isOpen == false && stage.called.isEmpty)
      stage.answer = (200, #"{"resumable":true}"#)
      await stage.resume(try stage.configuration(token: nil))
      stage.say("hello")
      #expect(
        stage.heard("init").last?["payload"]?["link_session_token"]?.string == "link_token")
      stage.say("close")
    }

    @Test(
      "A link is asked for again while the service gives no answer, and opens as soon as it does",
      arguments: [nil, 429, 500, 503])
    func unreachable(status: Int?) async throws {
      let stage = try Stage()
      stage.answer = status.map { ($0, #"{"resumable":true}"#) }
      let session = ConnectSession.resume(
        from: Stage.returnURL, configuration: try stage.configuration(token: nil),
        presentingFrom: stage.presenter)
      await stage.settle { false }
      #expect(stage.questions.count == 1)
      await stage.pass(.seconds(1))
      await stage.pass(.seconds(2))
      #expect(stage.questions.count == 3 && stage.controller == nil)
      stage.answer = (200, #"{"resumable":true}"#)
      await stage.pass(.seconds(4))
      #expect(session?.isOpen == true && stage.controller != nil)
      session?.dismiss()
    }

    @Test("A link that no one answers for covers nothing, and is dropped after half a minute")
    func neverReachable() async throws {
      let stage = try Stage()
      stage.answer = nil
      let session = ConnectSession.resume(
        from: Stage.returnURL, configuration: try stage.configuration(token: nil),
        presentingFrom: stage.presenter)
      for pause in [1, 2, 4, 8, 15] { await stage.pass(.seconds(pause)) }
      await #expect(throws: ConnectRefusal.nothingToContinue) { try await session?.result() }
      #expect(stage.questions.count == 6 && stage.controller == nil)
      #expect(!stage.hasTimeLimit)
    }

    @Test("A foreign link leaves the page and the bank's login alone, and the own one still counts")
    func foreign() async throws {
      let stage = try Stage()
      stage.answer = (200, #"{"resumable":false}"#)
      stage.open()
      stage.openLogin()
      #expect(stage.session.continueFlow(from: Stage.otherReturnURL))
      await stage.pass(.seconds(3))
      #expect(question(stage.questions.last)?["link_session_token"] == "link_token")
      #expect(stage.heard("oauth_result").isEmpty && stage.web?.loaded.count == 1)
      #expect(stage.login?.isCancelled == false)
      stage.session.continueFlow(from: Stage.returnURL)
      #expect(stage.heard("oauth_result").count == 1 && stage.questions.count == 1)
      stage.say("close")
    }

    @Test("A link that the service confirms for the open flow goes to its page")
    func confirmed() async throws {
      let stage = try Stage()
      stage.open()
      stage.session.continueFlow(from: Stage.returnURL)
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      #expect(stage.heard("oauth_result").count == 1 && stage.web?.loaded.count == 1)
      stage.say("close")
    }

    @Test("A link whose flow is closed while the service is asked opens nothing")
    func closedMeanwhile() async throws {
      let stage = try Stage()
      stage.open()
      stage.session.continueFlow(from: Stage.returnURL)
      stage.say("exit", ["reason": "user_closed", "session_id": "ses_1"])
      await stage.settle { stage.questions.count == 1 }
      await stage.settle { false }
      #expect(stage.controller == nil && ConnectSession.current == nil)
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("A flow that the app opens while the service is asked stays, and is asked for by itself")
    func openedMeanwhile() async throws {
      let stage = try Stage(token: "second_token")
      let resumed = ConnectSession.resume(
        from: Stage.returnURL, configuration: try stage.configuration(token: nil),
        presentingFrom: stage.presenter)
      stage.open()
      await #expect(throws: ConnectRefusal.anotherFlowIsOpen) { try await resumed?.result() }
      await stage.settle { stage.questions.count == 2 }
      #expect(question(stage.questions.last)?["link_session_token"] == "second_token")
      #expect(stage.session.isOpen && stage.controller != nil)
      stage.say("close")
    }

    @Test("A link that is delivered twice before the answer opens one flow")
    func twice() async throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      let first = ConnectSession.resume(
        from: Stage.returnURL, configuration: configuration, presentingFrom: stage.presenter)
      first?.present(from: stage.presenter)
      await stage.resume(configuration)
      #expect(first?.isOpen == true && stage.web?.loaded.count == 1)
      #expect(stage.questions.count == 2)
      first?.dismiss()
    }

    @Test("A session that returns with another login's address is canceled in the page")
    func foreignSession() async throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      stage.login?.complete(Stage.otherReturnURL, nil)
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      #expect(stage.heard("oauth_result").map { $0["payload"] } == [["cancelled": true]])
      stage.say("close")
    }

    @Test("A cover for a return appears once the service has confirmed it")
    func cover() async throws {
      let stage = try Stage()
      var configuration = try stage.configuration(token: nil)
      configuration.returnURL = Stage.returnURL
      let app = CoverApp(configuration)
      #expect(app.host.session == nil)
      app.host.update()
      await stage.settle { stage.questions.count == 1 }
      await stage.settle { false }
      app.host.update()
      #expect(stage.questions.count == 1)
      #expect(app.host.session?.isOpen == true)
      stage.page = app.host.controller?.web.view
      #expect(stage.web?.loaded.last?.path() == "/connect/continue")
      app.host.session?.dismiss()
      app.host.update()
      #expect(app.flow == nil)
    }

    @Test("A cover for a return with nothing to continue never appears, and its state is reset")
    func deniedCover() async throws {
      let stage = try Stage()
      stage.answer = (200, #"{"resumable":false}"#)
      var configuration = try stage.configuration(token: nil)
      configuration.returnURL = Stage.returnURL
      let app = CoverApp(configuration)
      await stage.settle { app.flow == nil }
      app.host.update()
      #expect(app.flow == nil && app.host.session == nil && stage.called.isEmpty)
    }
  }
}
