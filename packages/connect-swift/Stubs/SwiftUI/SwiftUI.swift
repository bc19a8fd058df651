// Written by us, not by Apple: see Stubs/README.md.
@_exported import UIKit

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("There is no body.") }
}

public struct EmptyView: View {
  public init() {}
  public var body: Never { fatalError("There is no body.") }
}

@MainActor @resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView(value: (repeat each content)) }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct TupleView<Value>: View {
  public let value: Value
  public var body: Never { fatalError("There is no body.") }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("There is no body.") }
}

@propertyWrapper public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public init(initialValue: Value) { box = Box(initialValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding(get: { box.value }, set: { box.value = $0 })
  }
}

@propertyWrapper public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
}

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifierContent
  @ViewBuilder func body(content: Content) -> Body
}

public struct _ViewModifierContent: View {
  public init() {}
  public var body: Never { fatalError("There is no body.") }
}

public struct ModifiedContent<Content, Modifier>: View {
  /// Of the stub: what was modified, and how.
  public let content: Content
  public let modifier: Modifier
  public var body: Never { fatalError("There is no body.") }
}

extension View {
  public func modifier<Modifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    ModifiedContent(content: self, modifier: modifier)
  }

  public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    modifier(ItemCover(item: item, onDismiss: onDismiss, content: content))
  }

  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    modifier(LinkAction(action: action))
  }

  public func ignoresSafeArea() -> some View { modifier(0) }
}

public struct ItemCover<Item: Identifiable, Content: View> {
  public let item: Binding<Item?>
  public let onDismiss: (() -> Void)?
  public let content: (Item) -> Content
}

public struct LinkAction {
  public let action: (URL) -> Void
}

@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View
where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  associatedtype Coordinator = Void
  typealias Context = UIViewControllerRepresentableContext<Self>
  func makeUIViewController(context: Context) -> UIViewControllerType
  func updateUIViewController(_ controller: UIViewControllerType, context: Context)
  static func dismantleUIViewController(
    _ controller: UIViewControllerType, coordinator: Coordinator)
}

extension UIViewControllerRepresentable {
  public var body: Never { fatalError("There is no body.") }
  public static func dismantleUIViewController(
    _ controller: UIViewControllerType, coordinator: Coordinator
  ) {}
}

@MainActor
public struct UIViewControllerRepresentableContext<
  Representable: UIViewControllerRepresentable
> {
  public init() {}
}
