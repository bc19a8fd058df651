import SwiftUI
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("A flow over the screen in SwiftUI")
  struct ConnectFlowTests {
    @Test("The cover closes with its flow, and the final callback follows when it is gone")
    func cover() throws {
      let stage = try Stage()
      let app = CoverApp(stage.session.configuration)
      let session = try #require(app.host.session)
      session.dismiss()
      // The app's actions in the meantime do not cause an early callback.
      session.update(theme: nil)
      #expect(app.flow == nil)
      #expect(stage.called.isEmpty)
      app.host.update()
      #expect(app.host.controller == nil)
      #expect(stage.called == ["event:exit", "exit"])
      #expect(!session.isOpen && ConnectSession.current == nil)
    }

    @Test("A cover whose end is not reported still calls the final callback, once")
    func unreportedEnd() async throws {
      let stage = try Stage()
      let app = CoverApp(stage.session.configuration)
      app.host.reportsDismissal = false
      app.host.session?.dismiss()
      app.host.update()
      await stage.settle { stage.called.contains("exit") }
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("While the cover of a finished flow is being dismissed, no other flow is opened")
    func whileGoing() throws {
      let (stage, second) = (try Stage(), try Stage())
      let app = CoverApp(stage.session.configuration)
      app.host.session?.dismiss()
      second.session.present(from: second.presenter)
      #expect(second.presenter.presentedViewController == nil && !second.session.isOpen)
      second.session.dismiss()
      app.host.update()
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("A cover that is removed with the screen below it ends its flow without a callback")
    func removedByApp() async throws {
      let stage = try Stage()
      let app = CoverApp(stage.session.configuration)
      let session = try #require(app.host.session)
      app.host.disappear()
      #expect(stage.called.isEmpty)
      #expect(app.flow == nil && ConnectSession.current == nil)
      #expect(try await session.result() == .exit(.programmatic))
    }

    @Test("A cover that SwiftUI closes ends its flow without a callback, and the next one opens")
    func closedBySwiftUI() async throws {
      let stage = try Stage()
      let configuration = stage.session.configuration
      let app = CoverApp(presenting: { configuration })
      let session = try #require(app.host.session)
      app.host.dismiss()
      #expect(!app.isPresented && app.host.session == nil && stage.called.isEmpty)
      #expect(try await session.result() == .exit(.programmatic))
      app.isPresented = true
      app.host.update()
      #expect(app.host.session !== session && app.host.session?.isOpen == true)
      app.host.disappear()
    }

    @Test("A cover whose view SwiftUI recreates stays, with its page")
    func madeAgain() async throws {
      let stage = try Stage()
      let app = CoverApp(stage.session.configuration)
      let session = try #require(app.host.session)
      let again = ConnectView(session: session).makeUIViewController(context: .init())
      await stage.settle { app.flow == nil }
      #expect(again === app.host.controller && app.flow != nil)
      #expect(app.host.controller?.web.view.loaded.count == 1)
      app.host.disappear()
    }

    @Test("A link that opens the app continues the flow of the cover")
    func incomingLink() throws {
      let stage = try Stage()
      let app = CoverApp(stage.session.configuration)
      stage.page = app.host.controller?.web.view
      stage.say("hello")
      stage.openLogin()
      app.host.open(Stage.returnURL)
      #expect(
        stage.heard("oauth_result").map { $0["payload"]?["url"]?.string }
          == [Stage.returnURL.absoluteString])
      app.host.disappear()
    }

    @Test("A flow that onExit of another one starts loads in a cover of its own")
    func startedFromCallback() throws {
      let stage = try Stage()
      let next = try stage.configuration(token: "second_token")
      let app = CoverApp(stage.session.configuration)
      let first = try #require(app.host.session)
      stage.onFinal = { app.flow = next }
      first.dismiss()
      app.host.update()
      #expect(app.host.session !== first && app.host.session?.isOpen == true)
      #expect(app.host.controller?.web.view.loaded.count == 1)
      stage.onFinal = nil
      app.host.session?.dismiss()
      app.host.update()
      #expect(stage.called == ["event:exit", "exit", "event:exit", "exit"])
    }

    @Test("A flow that is presented again from onExit loads in a cover of its own")
    func presentedAgain() throws {
      let stage = try Stage()
      let app = CoverApp(presenting: stage.anotherConfiguration)
      let first = try #require(app.host.session)
      stage.onFinal = { app.isPresented = true }
      first.dismiss()
      #expect(!app.isPresented)
      app.host.update()
      #expect(app.host.session !== first && app.host.session?.isOpen == true)
      stage.onFinal = nil
      app.host.session?.dismiss()
      app.host.update()
    }

    @Test("A flow that is presented again before its cover is removed loads in another one")
    func presentedAtOnce() throws {
      let stage = try Stage()
      let app = CoverApp(presenting: stage.anotherConfiguration)
      let first = try #require(app.host.session)
      first.dismiss()
      app.isPresented = true
      app.host.update()
      #expect(app.host.session !== first && app.host.session?.isOpen == true)
      app.host.session?.dismiss()
      app.host.update()
    }

    @Test("The cover of a session that cannot be opened closes by itself")
    func refused() async throws {
      let stage = try Stage()
      let app = CoverApp(try stage.configuration(token: nil))
      await stage.settle { app.flow == nil }
      #expect(app.flow == nil && ConnectSession.current == nil && stage.called.isEmpty)
    }

    @Test("A flow that is opened in the exit event of a cover is not refused")
    func startedFromEvent() throws {
      let (stage, second) = (try Stage(), try Stage())
      let app = CoverApp(stage.session.configuration)
      stage.onEvent = { _ in second.session.present(from: second.presenter) }
      app.host.session?.dismiss()
      app.host.update()
      #expect(stage.called == ["event:exit", "exit"])
      #expect(second.session.isOpen)
      second.session.dismiss(force: true)
    }

    @Test("No cover is shown until the service confirms that a return can be continued")
    func unconfirmedReturn() async throws {
      let stage = try Stage()
      var configuration = try stage.configuration(token: nil)
      configuration.returnURL = Stage.returnURL
      let app = CoverApp(configuration)
      app.host.update()
      #expect(app.host.session == nil)
      await stage.settle { !stage.questions.isEmpty }
      await stage.settle {
        app.host.update()
        return app.host.session != nil
      }
      #expect(app.host.session?.isOpen == true)
      app.host.session?.dismiss()
      app.host.update()
    }

    @Test("The cover closes by itself when its return was already used")
    func takenReturn() async throws {
      let stage = try Stage()
      FlowRunner.endedReturns = [Stage.stateID]
      var configuration = try stage.configuration(token: nil)
      configuration.returnURL = Stage.returnURL
      let app = CoverApp(configuration)
      await stage.settle { app.flow == nil }
      app.host.update()
      #expect(app.host.controller == nil && ConnectSession.current == nil)
      #expect(stage.called.isEmpty)
    }

    @Test("Another configuration replaces the last screen of an ended flow")
    func replaced() throws {
      let stage = try Stage(closeOnSuccess: false)
      let app = CoverApp(stage.session.configuration)
      let first = try #require(app.host.session)
      stage.page = app.host.controller?.web.view
      stage.say("hello")
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
      app.flow = try stage.configuration(token: "second_token")
      app.host.update()
      #expect(app.host.session !== first && app.host.session?.isOpen == true)
      #expect(app.flow != nil)
      app.host.session?.dismiss()
      app.host.update()
    }
  }
}
