import SwiftUI
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("A flow over the screen in SwiftUI")
  struct ConnectFlowTests {
    /// What an app keeps of its flow.
    @MainActor final class App {
      var flow: ConnectConfiguration?
      var isPresented = false
    }

    private func configured(_ app: App) -> CoverHost {
      CoverHost(
        ConnectFlow(
          request: {
            app.flow.map { FlowRequest(configuration: $0, id: ObjectIdentifier($0.identity)) }
          },
          close: { app.flow = nil }))
    }

    @Test("The cover closes with its flow, and the final callback comes when it is gone")
    func cover() throws {
      let stage = try Stage()
      let app = App()
      app.flow = stage.session.configuration
      let host = configured(app)
      host.update()
      let session = try #require(host.session)
      session.dismiss()
      #expect(app.flow == nil)
      #expect(stage.called.isEmpty)
      host.update()
      #expect(host.controller == nil)
      #expect(stage.called == ["event:exit", "exit"])
      #expect(!session.isOpen && ConnectSession.current == nil)
    }

    @Test("A cover whose end is not reported still calls the final callback, once")
    func unreportedEnd() async throws {
      let stage = try Stage()
      let app = App()
      app.flow = stage.session.configuration
      let host = configured(app)
      host.reportsDismissal = false
      host.update()
      host.session?.dismiss()
      host.update()
      await stage.settle { stage.called.contains("exit") }
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("A cover that goes with the screen below it ends its flow without a callback")
    func removedByApp() async throws {
      let stage = try Stage()
      let app = App()
      app.flow = stage.session.configuration
      let host = configured(app)
      host.update()
      let session = try #require(host.session)
      host.disappear()
      #expect(stage.called.isEmpty)
      #expect(app.flow == nil && ConnectSession.current == nil)
      #expect(try await session.result() == .exit(.programmatic))
    }

    @Test("A flow that onExit of another one starts loads in a cover of its own")
    func startedFromCallback() throws {
      let stage = try Stage()
      let app = App()
      let next = try stage.configuration(token: "second_token")
      app.flow = stage.session.configuration
      let host = configured(app)
      host.update()
      let first = try #require(host.session)
      stage.onFinal = { app.flow = next }
      first.dismiss()
      host.update()
      #expect(host.session !== first && host.session?.isOpen == true)
      #expect(host.controller?.web.view.loaded.count == 1)
      stage.onFinal = nil
      host.session?.dismiss()
      host.update()
      #expect(stage.called == ["event:exit", "exit", "event:exit", "exit"])
    }

    @Test("A flow that is presented again from onExit loads in a cover of its own")
    func presentedAgain() throws {
      let stage = try Stage()
      let app = App()
      app.isPresented = true
      let host = CoverHost(
        ConnectFlow(
          request: {
            // Made again in each update, as by an app.
            app.isPresented
              ? (try? stage.configuration(token: "link_token")).map {
                FlowRequest(configuration: $0, id: nil)
              } : nil
          },
          close: { app.isPresented = false }))
      host.update()
      let first = try #require(host.session)
      host.update()
      #expect(host.session === first)
      stage.onFinal = { app.isPresented = true }
      first.dismiss()
      host.update()
      #expect(host.session !== first && host.session?.isOpen == true)
      stage.onFinal = nil
      host.session?.dismiss()
      host.update()
    }

    @Test("The cover closes by itself when its return was taken before")
    func takenReturn() async throws {
      let stage = try Stage()
      FlowRunner.endedReturns = [Stage.stateID]
      let app = App()
      app.flow = try stage.configuration(token: nil)
      app.flow?.returnURL = Stage.returnURL
      let host = configured(app)
      host.update()
      await stage.settle { app.flow == nil }
      host.update()
      #expect(host.controller == nil && ConnectSession.current == nil)
      #expect(stage.called.isEmpty)
    }

    @Test("Another configuration replaces the last screen of an ended flow")
    func replaced() throws {
      let stage = try Stage(closeOnSuccess: false)
      let app = App()
      app.flow = stage.session.configuration
      let host = configured(app)
      host.update()
      let first = try #require(host.session)
      stage.page = host.controller?.web.view
      stage.say("hello")
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
      app.flow = try stage.configuration(token: "second_token")
      host.update()
      #expect(host.session !== first && host.session?.isOpen == true)
      #expect(app.flow != nil)
      host.session?.dismiss()
      host.update()
    }
  }
}
