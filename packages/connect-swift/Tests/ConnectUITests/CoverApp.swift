import SwiftUI

@testable import Connect

/// The state that an app keeps of its flow, and the cover that shows it.
@MainActor final class CoverApp {
  var flow: ConnectConfiguration?
  var isPresented = false
  private(set) var host: CoverHost!

  /// Shows a flow as soon as there is a configuration.
  init(_ first: ConnectConfiguration) {
    flow = first
    host = CoverHost { [unowned self] in
      EmptyView().connectFlow(Binding(get: { self.flow }, set: { self.flow = $0 }))
    }
    host.update()
  }

  /// Shows a flow while it is presented, with a configuration that is made again in each update.
  init(presenting configuration: @escaping @MainActor () -> ConnectConfiguration) {
    isPresented = true
    host = CoverHost { [unowned self] in
      EmptyView().connectFlow(
        isPresented: Binding(get: { self.isPresented }, set: { self.isPresented = $0 }),
        configuration: configuration())
    }
    host.update()
  }
}
