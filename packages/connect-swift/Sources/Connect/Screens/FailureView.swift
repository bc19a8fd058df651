#if canImport(UIKit)
  import UIKit

  /// Connect could not be loaded: the problem, "try again" and "close".
  @MainActor final class FailureView: UIView {
    let message = UILabel()
    let retryButton: UIButton
    let closeButton: UIButton

    struct Texts {
      let message: String
      let tryAgain: String
      let close: String
    }

    init(
      _ texts: Texts, onRetry: @escaping @MainActor () -> Void,
      onClose: @escaping @MainActor () -> Void
    ) {
      retryButton = UIButton(
        type: .system, primaryAction: UIAction(title: texts.tryAgain) { _ in onRetry() })
      closeButton = UIButton(
        type: .system, primaryAction: UIAction(title: texts.close) { _ in onClose() })
      super.init(frame: .zero)
      coverPage()
      message.text = texts.message
      message.font = .preferredFont(forTextStyle: .body)
      message.adjustsFontForContentSizeCategory = true
      message.textColor = .label
      message.textAlignment = .center
      message.numberOfLines = 0
      let stack = UIStackView(arrangedSubviews: [message, retryButton, closeButton])
      stack.axis = .vertical
      stack.spacing = 16
      stack.alignment = .center
      stack.translatesAutoresizingMaskIntoConstraints = false
      addSubview(stack)
      NSLayoutConstraint.activate([
        stack.centerYAnchor.constraint(equalTo: centerYAnchor),
        stack.leadingAnchor.constraint(equalTo: layoutMarginsGuide.leadingAnchor, constant: 16),
        stack.trailingAnchor.constraint(
          equalTo: layoutMarginsGuide.trailingAnchor, constant: -16),
      ])
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
  }
#endif
