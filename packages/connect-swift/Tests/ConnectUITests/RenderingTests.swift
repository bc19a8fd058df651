import SwiftUI
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The rendering of a flow")
  struct RenderingTests {
    @Test("An update of the app's view keeps the session, the page and the callbacks of the flow")
    func updatedView() throws {
      let stage = try Stage()
      let app = CoverApp(presenting: stage.anotherConfiguration)
      let session = try #require(app.host.session)
      stage.page = app.host.controller?.web.view
      stage.say("hello")
      for _ in 0..<3 { app.host.update() }
      #expect(app.host.session === session)
      #expect(stage.web?.loaded.count == 1)
      stage.say("success", Stage.success)
      app.host.update()
      #expect(stage.called == ["event:success", "success"])
    }

    @Test("A device that turns resizes the page and the native views, and loads nothing")
    func turnedDevice() async throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let controller = try #require(stage.controller)
      await stage.pass(.seconds(10))
      let landscape = CGRect(x: 0, y: 0, width: 844, height: 390)
      controller.view.frame = landscape
      let views: [UIView?] = [
        controller.web.view, controller.loadingView, controller.failureView,
      ]
      #expect(views.map { $0?.frame.size } == [landscape.size, landscape.size, landscape.size])
      #expect(stage.web?.loaded.count == 1)
      stage.session.dismiss()
    }
  }
}
