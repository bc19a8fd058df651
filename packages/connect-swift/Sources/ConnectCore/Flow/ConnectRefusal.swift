import Foundation

/// The reason that a session was not opened: a mistake of the calling program, or a link that the system delivers
/// again. Never one of the end user.
public enum ConnectRefusal: Error, Hashable, CaseIterable, LocalizedError {
  case anotherFlowIsOpen
  /// A session is one flow.
  case sessionHasEnded
  case tokenIsMissing
  /// `returnURL` is not the return of a bank's login.
  case noReturn
  /// A finished flow has processed this return.
  case returnWasTaken
  /// The service has nothing to continue for this return, or could not be reached.
  case nothingToContinue

  public var errorDescription: String? {
    switch self {
    case .anotherFlowIsOpen: "Another flow is open."
    case .sessionHasEnded: "This session has ended."
    case .tokenIsMissing: "linkSessionToken is missing."
    case .noReturn: "returnURL is not the return of a bank's login."
    case .returnWasTaken: "A finished flow has already processed this return."
    case .nothingToContinue: "The service has nothing to continue for this return."
    }
  }
}
