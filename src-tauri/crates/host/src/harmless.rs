//! Text of a server's (or of a file system's) made safe to show: characters that hide, reorder or command are written out.
//! Not a translation and not HTML escaping: the page and the terminal show text as text.

/// One paragraph or more: line feeds and tabs stay, and so do the joiners and selectors that scripts and emoji need; control,
/// bidirectional and other invisible characters are written out.
pub fn text(raw: &str) -> String {
    reveal(raw, |c| {
        matches!(c, '\n' | '\t' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
            || !(is_control(c) || is_bidi(c) || is_invisible(c))
    })
}

/// Like [`text`], with every character written out that can't be seen, also those that scripts and emoji need.
pub fn revealed(raw: &str) -> String {
    reveal(raw, |c| {
        matches!(c, '\n' | '\t') || !(is_control(c) || is_bidi(c) || is_invisible(c))
    })
}

/// Like [`text`], cut after `most` characters with the number of those left out.
pub fn paragraph(raw: &str, most: usize) -> String {
    cut(raw, most, text)
}

/// One line: every control, bidirectional and invisible character is written out; cut after `most` characters.
pub fn line(raw: &str, most: usize) -> String {
    cut(raw, most, |part| {
        reveal(part, |c| !(is_control(c) || is_bidi(c) || is_invisible(c)))
    })
}

fn cut(raw: &str, most: usize, show: impl Fn(&str) -> String) -> String {
    if raw.len() <= most {
        return show(raw);
    }
    match raw.char_indices().nth(most) {
        None => show(raw),
        Some((end, _)) => {
            let left_out = raw[end..].chars().count();
            format!("{}… ({left_out} more characters)", show(&raw[..end]))
        }
    }
}

fn reveal(raw: &str, keep: impl Fn(char) -> bool) -> String {
    // Most texts are plain words; a look at the bytes is the quickest way to know.
    if raw.bytes().all(|byte| (0x20..0x7f).contains(&byte)) || raw.chars().all(&keep) {
        return raw.to_owned();
    }
    let mut shown = String::with_capacity(raw.len() + 16);
    for c in raw.chars() {
        match c {
            _ if keep(c) => shown.push(c),
            '\n' => shown.push('⏎'),
            '\t' => shown.push('⇥'),
            '\u{0}'..='\u{1f}' => shown.push(char::from_u32(0x2400 + c as u32).expect("control pictures cover C0")),
            _ => shown.push_str(&format!("⟨U+{:04X}⟩", c as u32)),
        }
    }
    shown
}

fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_hide_or_command_are_written_out() {
        let check = |raw: &str, shown: &str| assert_eq!(line(raw, 100), shown, "for {raw:?}");
        check("plain", "plain");
        check("a\u{202e}b", "a⟨U+202E⟩b");
        check("\u{1b}[2J", "␛[2J");
        check("one\ntwo\r", "one⏎two␍");
        check("pay\u{200b}pal", "pay⟨U+200B⟩pal");
        check("\u{e0041}", "⟨U+E0041⟩");
        check("\u{9b}31m", "⟨U+009B⟩31m");
        assert_eq!(
            text("a\nb\u{1b}]52;c;\u{7}"),
            "a\nb␛]52;c;␇",
            "line feeds stay in paragraphs"
        );
    }

    #[test]
    fn long_text_says_what_was_left_out() {
        assert_eq!(
            line(&"x".repeat(12), 10),
            format!("{}… (2 more characters)", "x".repeat(10))
        );
    }
}
