// Written by us, not by Google: see README.md.
package androidx.webkit

import android.net.Uri
import android.webkit.WebView
import play.Played

class WebMessageCompat(val data: String?)

abstract class JavaScriptReplyProxy

class WebViewCompat private constructor() {
    fun interface WebMessageListener {
        fun onPostMessage(
            view: WebView, message: WebMessageCompat, sourceOrigin: Uri, isMainFrame: Boolean, replyProxy: JavaScriptReplyProxy,
        )
    }

    companion object {
        @JvmStatic
        fun addWebMessageListener(
            webView: WebView, jsObjectName: String, allowedOriginRules: Set<String>, listener: WebMessageListener,
        ) {
            Played.bridge = jsObjectName
            Played.listener = listener
        }
    }
}
