#if canImport(UIKit)
  import ConnectCore
  import SwiftUI

  extension ConnectSession: Identifiable {}

  /// A flow that the app requests.
  struct FlowRequest {
    let configuration: ConnectConfiguration
    /// Another one is another flow; nil where the app may create its configuration again in each update.
    let id: ObjectIdentifier?
  }

  /// Covers the screen while a flow is requested. The cover has the identity of its session, so the
  /// view of an ended flow is never used for the next one.
  struct ConnectFlow: ViewModifier {
    private let request: @MainActor () -> FlowRequest?
    private let close: @MainActor () -> Void
    /// SwiftUI keeps it when this view is created again.
    @State var cover = FlowCover()
    /// Counts the answers of the service, each of which may show a cover.
    @State private var answers = 0

    init(request: @escaping @MainActor () -> FlowRequest?, close: @escaping @MainActor () -> Void) {
      self.request = request
      self.close = close
    }

    func body(content: Content) -> some View {
      content.fullScreenCover(item: item, onDismiss: cover.dismissed) { session in
        ConnectView(session: session)
          .ignoresSafeArea()
          .onOpenURL { session.continueFlow(from: $0) }
      }
    }

    private var item: Binding<ConnectSession?> {
      let (cover, request, close) = (cover, request, close)
      // Read here, so that SwiftUI asks for the cover again after an answer.
      let answers = $answers
      _ = answers.wrappedValue
      // SwiftUI reads and writes it on the main actor.
      return Binding(
        get: {
          MainActor.assumeIsolated {
            cover.session(for: request(), close: close) { answers.wrappedValue += 1 }
          }
        },
        set: { session in if session == nil { MainActor.assumeIsolated { close() } } })
    }
  }

  /// The session of a cover: one for each request.
  @MainActor final class FlowCover {
    private var current: (id: ObjectIdentifier?, session: ConnectSession)?
    /// The session that the service has not confirmed yet.
    private var asking: ConnectSession?
    /// Ended, and not yet gone from the screen.
    private var leaving: [ConnectSession] = []

    func session(
      for request: FlowRequest?, close: @escaping @MainActor () -> Void,
      onAnswer: @escaping @MainActor () -> Void
    ) -> ConnectSession? {
      guard let request else {
        current = nil
        return nil
      }
      if let current, current.id == request.id {
        return current.session === asking ? nil : current.session
      }
      let session = ConnectSession(request.configuration)
      session.onRemove = { [weak self, weak session] in
        guard let session else { return }
        if let self { self.remove(session, close) } else { session.gone() }
      }
      current = (request.id, session)
      guard request.configuration.returnURL != nil else { return session }
      asking = session
      session.whenResumable {
        self.answered(session)
        onAnswer()
      } otherwise: {
        // After the update in which SwiftUI asks for the cover.
        Task { self.isWanted(session) ? close() : () }
      }
      return nil
    }

    private func answered(_ session: ConnectSession) {
      if asking === session { asking = nil }
    }

    private func isWanted(_ session: ConnectSession) -> Bool { current?.session === session }

    /// The cover is gone. Only now a callback may open the next one.
    func dismissed() {
      let gone = leaving
      leaving = []
      for session in gone { session.gone() }
    }

    private func remove(_ session: ConnectSession, _ close: @MainActor () -> Void) {
      // Another flow has replaced it, and has the cover.
      guard current?.session === session else { return session.gone() }
      leaving.append(session)
      current = nil
      close()
    }
  }
#endif
