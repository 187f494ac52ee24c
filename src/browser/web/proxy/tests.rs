//! What passes the proxy, tried without a browser.
