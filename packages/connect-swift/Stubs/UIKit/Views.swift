// Written by us, not by Apple: see Stubs/README.md.

@MainActor open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  public var frame = CGRect.zero {
    didSet { bounds.size = frame.size }
  }
  public var bounds = CGRect.zero {
    didSet { for view in subviews { view.follow(bounds.size, from: oldValue.size) } }
  }
  public var isHidden = false
  public var backgroundColor: UIColor?
  public var isOpaque = true
  public var autoresizingMask: AutoresizingMask = []
  public var translatesAutoresizingMaskIntoConstraints = true
  public var accessibilityViewIsModal = false
  public var window: UIWindow? = nil
  public private(set) var subviews: [UIView] = []
  public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
  public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide() }

  public override init() { super.init() }
  public init(frame: CGRect) {
    super.init()
    self.frame = frame
    // Observers do not run in an initializer.
    bounds.size = frame.size
  }
  public required init?(coder: NSCoder) { nil }

  public func addSubview(_ view: UIView) { subviews.append(view) }

  private func follow(_ size: CGSize, from old: CGSize) {
    if autoresizingMask.contains(.flexibleWidth) { frame.size.width += size.width - old.width }
    if autoresizingMask.contains(.flexibleHeight) { frame.size.height += size.height - old.height }
  }
}

@MainActor public final class UIWindow: UIView {
  public var rootViewController: UIViewController?
}
@MainActor public final class UILayoutGuide: NSObject {
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
}
@MainActor public final class NSLayoutXAxisAnchor: NSObject {
  public func constraint(
    equalTo: NSLayoutXAxisAnchor, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint() }
  public func constraint(
    lessThanOrEqualTo: NSLayoutXAxisAnchor, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint() }
}
@MainActor public final class NSLayoutYAxisAnchor: NSObject {
  public func constraint(
    equalTo: NSLayoutYAxisAnchor, constant: CGFloat = 0
  ) -> NSLayoutConstraint { NSLayoutConstraint() }
}
@MainActor public final class NSLayoutConstraint: NSObject {
  public enum Axis: Sendable { case horizontal, vertical }
  public static func activate(_ constraints: [NSLayoutConstraint]) {}
}

@MainActor public final class UIColor: NSObject {
  public static let systemBackground = UIColor()
  public static let label = UIColor()
}

@MainActor public final class UIScrollView: UIView {
  public enum ContentInsetAdjustmentBehavior: Sendable { case automatic, never }
  public var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
}

@MainActor public final class UILabel: UIView {
  public var text: String?
  public var font: UIFont?
  public var textColor: UIColor?
  public var numberOfLines = 1
  public var textAlignment = NSTextAlignment.natural
  public var adjustsFontForContentSizeCategory = false
}

public enum NSTextAlignment: Sendable { case natural, center }

@MainActor public final class UIFont: NSObject {
  public struct TextStyle: Hashable, Sendable { public static let body = TextStyle() }
  public static func preferredFont(forTextStyle: TextStyle) -> UIFont { UIFont() }
}

@MainActor public final class UIStackView: UIView {
  public enum Alignment: Sendable { case fill, center }
  public var axis = NSLayoutConstraint.Axis.horizontal
  public var spacing: CGFloat = 0
  public var alignment = Alignment.fill
  public init(arrangedSubviews: [UIView]) {
    super.init()
    for view in arrangedSubviews { addSubview(view) }
  }
  public required init?(coder: NSCoder) { nil }
}

@MainActor public final class UIActivityIndicatorView: UIView {
  public enum Style: Sendable { case medium, large }
  public var isAnimating = false
  public var accessibilityLabel: String?
  public init(style: Style) { super.init() }
  public required init?(coder: NSCoder) { nil }
  public func startAnimating() { isAnimating = true }
  public func stopAnimating() { isAnimating = false }
}

@MainActor public final class UIAction: NSObject {
  public let title: String
  let handler: @MainActor (UIAction) -> Void
  public init(title: String = "", handler: @escaping @MainActor (UIAction) -> Void) {
    self.title = title
    self.handler = handler
  }
}

@MainActor public final class UIButton: UIView {
  public enum ButtonType: Sendable { case system, close }
  private let action: UIAction?
  public var accessibilityLabel: String?
  public var title: String? { action?.title }
  public init(type: ButtonType, primaryAction: UIAction?) {
    action = primaryAction
    super.init()
  }
  public required init?(coder: NSCoder) { nil }
  /// Of the stub: what a tap does.
  public func tap() { if let action { action.handler(action) } }
}

@MainActor public enum UIAccessibility {
  public struct Notification: Hashable, Sendable {
    let name: String
    public static let screenChanged = Notification(name: "screenChanged")
  }
  /// Of the stub: what was announced, and the element that is read.
  public static var posted: [(notification: Notification, argument: Any?)] = []
  public static func post(notification: Notification, argument: Any?) {
    posted.append((notification, argument))
  }
}
