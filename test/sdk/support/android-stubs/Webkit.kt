// Written by us, not by Google: see README.md.
package android.webkit

import android.content.Context
import android.graphics.Bitmap
import android.net.Uri
import play.Played

class WebSettings {
    var javaScriptEnabled = false
    var allowFileAccess = true
}

class WebView(context: Context) {
    val settings = WebSettings()
    var webViewClient = WebViewClient()

    fun loadUrl(url: String) = Played.does("load", url)

    fun evaluateJavascript(script: String, resultCallback: ValueCallback<String>?) = Played.does("run", script)

    fun destroy() {}
}

fun interface ValueCallback<T> {
    fun onReceiveValue(value: T)
}

interface WebResourceRequest {
    val url: Uri
    val isForMainFrame: Boolean

    fun hasGesture(): Boolean
}

abstract class WebResourceError

open class WebResourceResponse

abstract class RenderProcessGoneDetail

open class WebViewClient {
    open fun shouldOverrideUrlLoading(view: WebView, request: WebResourceRequest): Boolean = false

    open fun onPageStarted(view: WebView, url: String, favicon: Bitmap?) {}

    open fun onReceivedError(view: WebView, request: WebResourceRequest, error: WebResourceError) {}

    open fun onReceivedHttpError(view: WebView, request: WebResourceRequest, errorResponse: WebResourceResponse) {}

    open fun onRenderProcessGone(view: WebView, detail: RenderProcessGoneDetail): Boolean = false
}
