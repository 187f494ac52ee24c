//! HTML pages that come in place of a reply: the title and the first words of a page, instead of its tags.

/// Elements whose content is not displayed.
const HIDDEN: [&str; 3] = ["script", "style", "title"];

/// The title and the text of an HTML page in one line, not made safe to show; `None` if the text is no HTML page.
pub(super) fn page_words(text: &str) -> Option<String> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let begins = |tag: &str| start.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
    if !["<!doctype html", "<html", "<head", "<body", "<title", "<center", "<h1"]
        .iter()
        .any(|tag| begins(tag))
    {
        return None;
    }
    let (title, words) = read(start);
    let rest = words.strip_prefix(title.as_str()).unwrap_or(&words).trim();
    Some(match (title.as_str(), rest) {
        ("", "") => "without text".to_owned(),
        (title, "") => title.to_owned(),
        ("", words) => words.to_owned(),
        (title, words) => format!("{title}: {words}"),
    })
}

/// The title and the displayed text.
fn read(mut rest: &str) -> (String, String) {
    let mut title = String::new();
    let mut words = String::new();
    while let Some((text, tag)) = rest.split_once('<') {
        words.push_str(text);
        words.push(' ');
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        rest = tag.split_once('>').map_or("", |(_, after)| after);
        if let Some(hidden) = HIDDEN.iter().find(|hidden| hidden.eq_ignore_ascii_case(name)) {
            let content;
            (content, rest) = split_end(rest, hidden);
            if *hidden == "title" && title.is_empty() {
                title = one_line(content);
            }
        }
    }
    words.push_str(rest);
    (title, one_line(&words))
}

/// The content of an element, and what follows its end.
fn split_end<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let end = text.match_indices("</").find(|(at, _)| {
        text.get(at + 2..at + 2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
    });
    end.map_or((text, ""), |(at, _)| (&text[..at], &text[at..]))
}

/// The text with single spaces, and the most frequent entities replaced.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let entities =
        [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let text = entities.iter().fold(words, |text, (entity, letter)| text.replace(entity, letter));
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_its_title_and_words() {
        for (page, words) in [
            (
                "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1>\
                 </center>\r\n<hr><center>nginx/1.25</center>\r\n</body></html>",
                "502 Bad Gateway: nginx/1.25",
            ),
            (
                "\u{feff} <!DOCTYPE HTML><title>Log in</title><p class=\"a>b\">Ask   IT &amp; wait",
                "Log in: b\">Ask IT & wait",
            ),
            (
                "<html><style>p { color: <red> }</style><SCRIPT>if (a < b) {}</Script>Hi<!-- <p>no --> there",
                "Hi there",
            ),
            ("<html>oops</html>", "oops"),
            ("<html>", "without text"),
            ("<html><script>never ends", "without text"),
            ("<body>x<", "x"),
        ] {
            assert_eq!(page_words(page).as_deref(), Some(words), "{page}");
        }
        for text in ["", "{}", "upstream error <html>", "a < b", "<xml>"] {
            assert_eq!(page_words(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_of_tags_is_read_in_linear_time() {
        let page = format!("<html>{}", "<script><title><!--".repeat(20_000));
        assert!(page_words(&page).is_some());
    }
}
