import Testing

/// UIKit, WebKit, AuthenticationServices and SwiftUI are stubs of ours here, not Apple's. One flow is
/// open at a time in an app, so one test runs at a time.
@Suite("Flows on stubs of ours in place of Apple's modules", .serialized)
enum FlowsOnStubs {}
