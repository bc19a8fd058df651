// Written by us: the back end of the app in docs/connect-on-android.md.
package example.pocketledger

import org.json.JSONObject
import play.Played

object Backend {
    fun linked(success: JSONObject) = Played.does("linked", success.toString())

    fun left(exit: JSONObject) = Played.does("left", exit.toString())

    fun failed(error: JSONObject) = Played.does("failed", error.toString())
}
