//! Framing: what comes out for which bytes, however they arrive.

use bytes::Bytes;
use tokio::io::AsyncWriteExt;

use super::{LineReader, LineWriter};
use crate::bounds::LINE_KEPT;
use crate::transport::Received;

/// Feeds the bytes in pieces of `step` and lists the frames.
async fn check(input: &[u8], expect: &[&str]) {
    for step in [1, 3, 1024] {
        let (mut feed, source) = tokio::io::duplex(64);
        let input = input.to_vec();
        let fed = tokio::spawn(async move {
            for piece in input.chunks(step) {
                feed.write_all(piece).await.expect("the reader is there");
            }
        });
        let mut reader = LineReader::new(source);
        let mut frames = Vec::new();
        while let Some(received) = reader.line().await.expect("memory does not fail") {
            match received {
                Received::Frame(frame) => frames.push(String::from_utf8_lossy(&frame).into_owned()),
                Received::Overlong { .. } => panic!("nothing here is long"),
            }
        }
        fed.await.expect("fed");
        assert_eq!(frames, expect, "pieces of {step}");
    }
}

#[tokio::test]
async fn lines_end_with_lf_or_crlf_or_the_stream() {
    check(b"a\nb\r\nc", &["a", "b", "c"]).await;
}

#[tokio::test]
async fn empty_lines_are_no_frames() {
    check(b"\n\r\n  \na\n\n", &["a"]).await;
}

#[tokio::test]
async fn other_line_separators_are_text() {
    check("a\u{2028}b\u{85}c\rd\n".as_bytes(), &["a\u{2028}b\u{85}c\rd"]).await;
}

#[tokio::test]
async fn an_overlong_line_keeps_its_ends_and_harms_no_other() {
    let mut input = b"{\"id\":1,".to_vec();
    input.resize(1_000_000, b'x');
    input.extend_from_slice(b"\"end\"}\nnext\n");
    let (mut feed, source) = tokio::io::duplex(4096);
    tokio::spawn(async move { feed.write_all(&input).await });
    let mut reader = LineReader::bounded(source, 100_000);
    match reader.line().await.expect("memory does not fail") {
        Some(Received::Overlong { head, tail, length }) => {
            assert!(head.starts_with(b"{\"id\":1,"), "the start is kept");
            assert!(tail.ends_with(b"\"end\"}"), "the end is kept");
            assert!(
                head.len() <= LINE_KEPT * 2 && tail.len() <= LINE_KEPT,
                "not more than that"
            );
            assert_eq!(length, 1_000_006, "all of it is counted");
        }
        other => panic!("{other:?}"),
    }
    assert!(reader.buffer.capacity() < 300_000, "the memory went back");
    assert!(matches!(reader.line().await, Ok(Some(Received::Frame(frame))) if frame == "next"));
    assert!(matches!(reader.line().await, Ok(None)));
}

#[tokio::test]
async fn an_overlong_line_at_the_end_is_told() {
    let (mut feed, source) = tokio::io::duplex(4096);
    tokio::spawn(async move { feed.write_all(&vec![b'x'; 5000]).await });
    let mut reader = LineReader::bounded(source, 1000);
    assert!(matches!(
        reader.line().await,
        Ok(Some(Received::Overlong { length: 5000, .. }))
    ));
    assert!(matches!(reader.line().await, Ok(None)));
}

#[tokio::test]
async fn frames_written_together_stay_whole_and_in_order() {
    let big = Bytes::from(vec![b'b'; 300_000]);
    let lines = [Bytes::from("a\n"), big.clone(), Bytes::from("\nc\n")];
    let mut writer = LineWriter::new(Vec::new());
    writer.write(&lines).await.expect("memory does not fail");
    assert_eq!(writer.sink, [&b"a\n"[..], &big, b"\nc\n"].concat());
}
