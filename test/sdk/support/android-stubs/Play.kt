// Written by us: see README.md. One JSON input in each line of standard input, and for each the list of what the
// activity did in one line of standard output. `create` begins with another activity of the same process.
package play

import android.content.DialogInterface
import android.content.Intent
import android.net.Uri
import android.webkit.RenderProcessGoneDetail
import android.webkit.WebResourceError
import android.webkit.WebResourceRequest
import android.webkit.WebView
import androidx.webkit.JavaScriptReplyProxy
import androidx.webkit.WebMessageCompat
import androidx.webkit.WebViewCompat
import example.pocketledger.ConnectActivity
import org.json.JSONArray
import org.json.JSONObject

/** What the activity has done, and what may be done to it. */
object Played {
    val done = mutableListOf<List<String>>()
    val waiting = mutableListOf<Pair<Long, Runnable>>()
    var now = 0L
    var bridge = ""
    lateinit var listener: WebViewCompat.WebMessageListener
    lateinit var web: WebView
    var buttons = mapOf<String, DialogInterface.OnClickListener>()

    fun does(what: String, with: String) {
        done.add(listOf(what, with))
    }

    fun elapse(milliseconds: Long) {
        now += milliseconds
        val due = waiting.filter { it.first <= now }
        waiting.removeAll(due)
        for ((_, runnable) in due) runnable.run()
    }
}

private var activity = ConnectActivity()

private class Request(input: JSONObject) : WebResourceRequest {
    override val url: Uri = Uri.parse(input.getString("address"))
    override val isForMainFrame = input.optBoolean("main_frame", true)
    private val isByUser = input.optBoolean("by_user")

    override fun hasGesture() = isByUser
}

private fun play(input: JSONObject) {
    val client by lazy { Played.web.webViewClient }
    when (input.getString("type")) {
        "create" -> {
            Played.waiting.clear()
            activity = ConnectActivity()
            val intent = Intent()
            input.optString("url").ifEmpty { null }?.let { intent.data = Uri.parse(it) }
            input.optString("link_session_token").ifEmpty { null }?.let { intent.putExtra("link_session_token", it) }
            if (input.optBoolean("from_history")) intent.flags = Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY
            activity.create(intent)
        }
        "recreate" -> {
            Played.waiting.clear()
            val (intent, saved) = activity.intent to activity.save()
            activity = ConnectActivity()
            activity.create(intent, saved)
        }
        "link" -> activity.deliver(Intent(Intent.ACTION_VIEW, Uri.parse(input.getString("url"))))
        "message" -> Played.listener.onPostMessage(
            Played.web, WebMessageCompat(input.getString("text")), Uri.parse(input.getString("origin")),
            input.getBoolean("main_frame"), object : JavaScriptReplyProxy() {},
        )
        "navigate" -> Played.does("overridden", client.shouldOverrideUrlLoading(Played.web, Request(input)).toString())
        "arrived" -> client.onPageStarted(Played.web, input.getString("address"), null)
        "load_failed" -> client.onReceivedError(Played.web, Request(input), object : WebResourceError() {})
        "content_ended" -> client.onRenderProcessGone(Played.web, object : RenderProcessGoneDetail() {})
        "press" -> Played.buttons[input.getString("button")]!!.onClick(null, 0)
        "back" -> activity.onBackPressedDispatcher.callback()
        "elapse" -> Played.elapse(input.getLong("ms"))
    }
}

fun main() {
    for (line in generateSequence(::readLine)) {
        play(JSONObject(line))
        println(JSONArray(Played.done))
        Played.done.clear()
    }
}
