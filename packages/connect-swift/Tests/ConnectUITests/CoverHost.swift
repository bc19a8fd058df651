import SwiftUI

@testable import Connect

/// The part of the cover in a view that ``CoverHost`` uses.
@MainActor private protocol SessionCover {
  var item: Binding<ConnectSession?> { get }
  var onDismiss: (() -> Void)? { get }
  func link(of session: ConnectSession) -> LinkAction?
}

extension ItemCover: SessionCover where Item == ConnectSession {
  func link(of session: ConnectSession) -> LinkAction? {
    Mirror(reflecting: content(session)).descendant("modifier") as? LinkAction
  }
}

/// Shows the cover of a flow as SwiftUI does: in an update, which comes after the changes of a turn, and
/// with a new view exactly when the item has another identity.
@MainActor final class CoverHost {
  private let flow: @MainActor () -> ConnectFlow?
  private var state: FlowCover?
  private var shown: (session: ConnectSession, controller: ConnectViewController)?
  /// Of a cover that is gone, where nothing is left that SwiftUI could report it to.
  var reportsDismissal = true

  /// - Parameter body: an empty view with a flow, made again in each update
  init(_ body: @escaping @MainActor () -> some View) {
    flow = { (body() as? ModifiedContent<EmptyView, ConnectFlow>)?.modifier }
  }

  var session: ConnectSession? { shown?.session }
  var controller: ConnectViewController? { shown?.controller }

  func update() {
    while let cover = cover(), cover.item.wrappedValue !== shown?.session {
      if let shown {
        self.shown = nil
        ConnectView.dismantleUIViewController(shown.controller, coordinator: shown.session)
        if reportsDismissal { cover.onDismiss?() }
      } else if let session = cover.item.wrappedValue {
        let controller = ConnectView(session: session).makeUIViewController(context: .init())
        shown = (controller as? ConnectViewController).map { (session, $0) }
      }
    }
  }

  /// The screen below the cover is gone, and the cover with it.
  func disappear() {
    guard let shown else { return }
    self.shown = nil
    ConnectView.dismantleUIViewController(shown.controller, coordinator: shown.session)
  }

  /// SwiftUI closes the cover, as for a `dismiss` of the environment.
  func dismiss() {
    cover()?.item.wrappedValue = nil
    update()
  }

  /// A link opens the app while the cover is shown.
  func open(_ url: URL) {
    if let session { cover()?.link(of: session)?.action(url) }
  }

  private func cover() -> (any SessionCover)? {
    guard let flow = flow() else { return nil }
    // SwiftUI keeps the state of a view that is made again.
    if let state { flow.cover = state } else { state = flow.cover }
    let body = Mirror(reflecting: flow.body(content: .init()))
    return body.children.first { $0.label == "modifier" }?.value as? any SessionCover
  }
}
