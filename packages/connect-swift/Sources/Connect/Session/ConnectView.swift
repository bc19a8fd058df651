#if canImport(UIKit)
  import ConnectCore
  import SwiftUI

  /// A flow inside a SwiftUI hierarchy, as for apps that are in a sheet themselves. Removing the view
  /// ends the flow without a callback.
  public struct ConnectView: UIViewControllerRepresentable {
    private let session: ConnectSession

    public init(session: ConnectSession) {
      self.session = session
    }

    public func makeUIViewController(context: Context) -> UIViewController {
      session.embed()
    }

    public func updateUIViewController(_ controller: UIViewController, context: Context) {}

    public func makeCoordinator() -> ConnectSession {
      session
    }

    public static func dismantleUIViewController(
      _ controller: UIViewController, coordinator: ConnectSession
    ) {
      coordinator.destroy()
    }
  }

  extension View {
    /// Opens a flow over the whole screen while `isPresented` is true; the flow sets it to false when
    /// it ends. Links that open the app are passed on to it.
    public func connectFlow(
      isPresented: Binding<Bool>, configuration: ConnectConfiguration
    ) -> some View {
      modifier(
        ConnectFlow(
          request: {
            isPresented.wrappedValue ? FlowRequest(configuration: configuration, id: nil) : nil
          },
          close: { isPresented.wrappedValue = false }))
    }

    /// Opens a flow over the whole screen as soon as there is a configuration, which the app creates
    /// with the token of its back end; the flow sets it to nil when it ends. Another configuration is
    /// another flow.
    public func connectFlow(_ configuration: Binding<ConnectConfiguration?>) -> some View {
      modifier(
        ConnectFlow(
          request: {
            configuration.wrappedValue.map {
              FlowRequest(configuration: $0, id: ObjectIdentifier($0.identity))
            }
          },
          close: { configuration.wrappedValue = nil }))
    }
  }
#endif
