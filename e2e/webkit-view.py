#!/usr/bin/python3
"""A WebKitGTK view as narrow as a phone, for WebKitWebDriver. WebKitGTK's own MiniBrowser is at least 447 px wide."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

WIDTH, HEIGHT = 390, 844

context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)


def open_view(_session):
    settings = WebKit2.Settings(
        enable_media_stream=True,
        enable_mock_capture_devices=True,
        media_playback_requires_user_gesture=False,
    )
    view = WebKit2.WebView(web_context=context, settings=settings, is_controlled_by_automation=True)
    view.connect("permission-request", lambda _view, request: request.allow() or True)
    window = Gtk.Window(default_width=WIDTH, default_height=HEIGHT)
    window.add(view)
    window.show_all()
    return view


context.connect("automation-started", lambda _context, session: session.connect("create-web-view", open_view))
Gtk.main()
