import SwiftUI
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("A flow in SwiftUI")
  struct ConnectViewTests {
    @Test("A view opens its flow when it is created, and removing it calls no callback")
    func inlineView() throws {
      let stage = try Stage()
      let view = ConnectView(session: stage.session)
      let controller = view.makeUIViewController(context: .init())
      let web = try #require((controller as? ConnectViewController)?.web.view)
      #expect(web.loaded.map { $0.path() } == ["/connect/start"])
      #expect(stage.session.isOpen)
      let second = try Stage()
      second.session.present(from: second.presenter)
      #expect(second.presenter.presentedViewController == nil)
      ConnectView.dismantleUIViewController(controller, coordinator: view.makeCoordinator())
      #expect(stage.called.isEmpty)
      #expect(!stage.session.isOpen && ConnectSession.current == nil)
    }

    @Test("A view inside the app's own sheet does not close the sheet when its flow ends")
    func insideSheet() throws {
      let stage = try Stage()
      let controller = ConnectView(session: stage.session).makeUIViewController(context: .init())
      // UIKit names the presenter of the surrounding sheet here.
      stage.presenter.present(controller, animated: false)
      stage.say("hello")
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
      #expect(stage.presenter.presentedViewController != nil)
    }
  }
}
