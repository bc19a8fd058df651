// Written by us, not by Google: see README.md.
package android.os

import play.Played

class Bundle {
    private val lists = mutableMapOf<String, ArrayList<String>>()

    fun putStringArrayList(key: String, value: ArrayList<String>) {
        lists[key] = value
    }

    fun getStringArrayList(key: String): ArrayList<String>? = lists[key]
}

class Looper private constructor() {
    companion object {
        @JvmStatic fun getMainLooper() = Looper()
    }
}

class Handler(looper: Looper) {
    fun postDelayed(r: Runnable, delayMillis: Long): Boolean = Played.waiting.add(Played.now + delayMillis to r)

    fun removeCallbacksAndMessages(token: Any?) = Played.waiting.clear()
}
