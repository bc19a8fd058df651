import SwiftUI

@testable import Connect

/// What ``CoverHost`` uses of the cover in a view.
@MainActor private protocol SessionCover {
  var item: Binding<ConnectSession?> { get }
  var onDismiss: (() -> Void)? { get }
}

extension ItemCover: SessionCover where Item == ConnectSession {}

/// Shows the cover of a flow as SwiftUI does: in an update, which comes after the changes of a turn, and
/// with a new view exactly when the item has another identity.
@MainActor final class CoverHost {
  private let flow: ConnectFlow
  private var shown: (session: ConnectSession, controller: ConnectViewController)?
  /// Of a cover that is gone, where nothing is left that SwiftUI could report it to.
  var reportsDismissal = true

  init(_ flow: ConnectFlow) {
    self.flow = flow
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

  private func cover() -> (any SessionCover)? {
    let body = Mirror(reflecting: flow.body(content: .init()))
    return body.children.first { $0.label == "modifier" }?.value as? any SessionCover
  }
}
