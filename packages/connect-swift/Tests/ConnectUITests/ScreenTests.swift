import Testing
import UIKit

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The screens of a flow")
  struct ScreenTests {
    @Test("One screen is visible at a time, and VoiceOver goes to it")
    func visible() async throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let controller = try #require(stage.controller)
      let visible = { controller.view.subviews.filter { !$0.isHidden } }
      let announced = { UIAccessibility.posted.last?.argument as? UIView }
      for _ in 1...2 {
        let loading = try #require(controller.loadingView)
        #expect(visible() == [loading] && announced() === loading)
        await stage.pass(.seconds(10))
        let failure = try #require(controller.failureView)
        #expect(visible() == [failure] && announced() === failure.message)
        failure.retryButton.tap()
      }
      stage.say("hello")
      #expect(visible() == [controller.web.view] && announced() === controller.web.view)
      // Made once.
      #expect(controller.view.subviews.count == 3)
      stage.say("close")
    }

    @Test("The native screens are in the language of the flow, and VoiceOver stays in them")
    func texts() async throws {
      let stage = try Stage()
      var configuration = stage.session.configuration
      configuration.locale = "de"
      stage.use(configuration)
      stage.session.present(from: stage.presenter)
      let texts = ConnectTexts(language: "de")
      #expect(texts.loading != ConnectTexts(language: "en").loading)
      let controller = try #require(stage.controller)
      #expect(controller.title == texts.title)
      let loading = try #require(controller.loadingView)
      #expect(loading.closeButton.accessibilityLabel == texts.close)
      let spinner = loading.subviews.lazy.compactMap { $0 as? UIActivityIndicatorView }.first
      #expect(spinner?.accessibilityLabel == texts.loading && spinner?.isAnimating == true)
      await stage.pass(.seconds(10))
      let failure = try #require(controller.failureView)
      #expect(failure.message.text == texts.frameUnavailable)
      #expect(failure.retryButton.title == texts.tryAgain)
      #expect(failure.closeButton.title == texts.close)
      // The largest text size has room.
      #expect(failure.message.adjustsFontForContentSizeCategory)
      #expect(failure.message.numberOfLines == 0)
      for screen in [loading, failure] {
        #expect(screen.accessibilityViewIsModal)
        #expect(screen.backgroundColor === UIColor.systemBackground)
      }
      stage.session.dismiss()
    }

    @Test("VoiceOver's way back goes back in the page, and closes a native screen")
    func escape() throws {
      let stage = try Stage()
      stage.open()
      #expect(stage.controller?.accessibilityPerformEscape() == true)
      #expect(stage.heard("back").count == 1 && stage.called.isEmpty)
      stage.say("close")
      let second = try Stage()
      second.session.present(from: second.presenter)
      #expect(second.controller?.accessibilityPerformEscape() == true)
      #expect(second.exits.map(\.reason) == [.userClosed])
    }

    @Test("A covered view continues; a view that is removed with its container has ended")
    func covered() throws {
      let stage = try Stage()
      let controller = ConnectView(session: stage.session).makeUIViewController(context: .init())
      let container = UIViewController(nibName: nil, bundle: nil)
      controller.parent = container
      controller.viewDidDisappear(true)
      #expect(stage.session.isOpen)
      container.isBeingDismissed = true
      controller.viewDidDisappear(true)
      #expect(!stage.session.isOpen && stage.called.isEmpty)
      #expect(ConnectSession.current == nil)
    }
  }
}
