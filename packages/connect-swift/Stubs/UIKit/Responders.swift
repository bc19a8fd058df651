// Written by us, not by Apple: see Stubs/README.md.
import Foundation

@MainActor open class UIResponder: NSObject {
  public nonisolated override init() { super.init() }
}

@MainActor public final class UIApplication: UIResponder {
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
  public static let shared = UIApplication()
  /// Of the stub: what was opened, and whether opening succeeds.
  public var opened: [URL] = []
  public var opens = true

  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    opened.append(url)
    completionHandler?(opens)
  }
}

@MainActor open class UIViewController: UIResponder {
  public var view: UIView! = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  public var title: String?
  public var modalPresentationStyle = UIModalPresentationStyle.automatic
  public var isModalInPresentation = false
  public var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
  public var isBeingDismissed = false
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var presentedViewController: UIViewController?
  public var parent: UIViewController?
  private var isLoaded = false

  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { nil }

  open func viewDidLoad() {}
  open func viewDidDisappear(_ animated: Bool) {}
  open func accessibilityPerformEscape() -> Bool { false }

  public func loadViewIfNeeded() {
    if !isLoaded {
      isLoaded = true
      viewDidLoad()
    }
  }

  open func present(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = controller
    controller.presentingViewController = self
    controller.loadViewIfNeeded()
    completion?()
  }

  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    guard let presenter = presentingViewController else { return }
    presenter.presentedViewController = nil
    isBeingDismissed = true
    presentingViewController = nil
    viewDidDisappear(animated)
    isBeingDismissed = false
    completion?()
  }
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
public enum UIModalPresentationStyle: Sendable { case automatic, fullScreen, pageSheet }
