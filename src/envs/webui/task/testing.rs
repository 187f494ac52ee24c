//! Small tasks for tests.

/// A page with a button that counts.
pub(crate) const COUNTER: &str = r##"@@ page counter
@@ file index.html
<!DOCTYPE html>
<html lang="en">
<head><title>Counter</title><link rel="stylesheet" href="style.css"></head>
<body>
  <h1 data-filter-by="text" data-evalby="text|color|font-size">Counter</h1>
  <button id="more" data-filter-by="has_text" data-evalby="text|background-color|border-radius">Count: 0</button>
  <img src="dot.svg" alt="" data-filter-by="src" data-evalby="width|height">
  <script src="script.js"></script>
</body>
</html>
@@ file style.css
h1 { color: rgb(20, 60, 120); }
#more { background-color: rgb(250, 220, 120); border-radius: 6px; width: 120px; height: 40px; }
@@ file script.js
let count = 0;
const more = document.getElementById("more");
more.addEventListener("click", () => { count += 1; more.textContent = "Count: " + count; });
@@ file task.md
# Counter

A heading and a button with the id `more`, and the picture `dot.svg`.

![First state](screen:0)

A click on `#more` counts:

![After a click](screen:1)
@@ file steps.json
[{"name": "count", "steps": [{"click": {"css": "#more"}}], "wait_ms": 50}]
@@ file dot.svg
<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><circle cx="15" cy="15" r="15" fill="#c33"/></svg>
"##;

/// Two pages: the counter, and one without styles, script and interactions.
pub(crate) const TWO_PAGES: &str = concat!(
    r##"@@ page counter
@@ file index.html
<p data-filter-by="text" data-evalby="text">One</p>
@@ file task.md
One.
"##,
    "@@ page greeting\n@@ file index.html\n<p data-filter-by=\"text\" data-evalby=\"text|color\">Hello</p>\n",
    "@@ file task.md\nA greeting.\n"
);
