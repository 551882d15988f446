//! jsonkeys: replies to every record, a JSON object (RFC 8259), with the sorted array of its top-level keys; fails the record
//! with a message that names the byte offset when it is anything else. Equal keys are one. Built by: build.sh
#![no_main]

use std::collections::BTreeSet;

mod pool {
    #[link(wasm_import_module = "pool")]
    extern "C" {
        pub fn serve(entry: extern "C" fn());
        pub fn next(buf: *mut u8, cap: usize) -> i32;
        pub fn read(off: usize, buf: *mut u8, cap: usize) -> usize;
        pub fn reply(ptr: *const u8, len: usize);
        pub fn fail(ptr: *const u8, len: usize);
    }
}

/// Deeper values are refused: the parser recurses.
const MAX_DEPTH: u32 = 1000;

struct Failure {
    at: usize,
    expected: &'static str,
}

type Parsed<T> = Result<T, Failure>;

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn fail<T>(&self, expected: &'static str) -> Parsed<T> {
        Err(Failure { at: self.at, expected })
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += found as usize;
        found
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Parsed<()> {
        if self.accept(byte) { Ok(()) } else { self.fail(expected) }
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// The whole record: one object between blanks.
    fn record(&mut self) -> Parsed<BTreeSet<String>> {
        let mut keys = BTreeSet::new();
        self.space();
        self.expect(b'{', "an object")?;
        self.members(1, |key| {
            keys.insert(key);
        })?;
        self.space();
        if self.at < self.text.len() {
            return self.fail("the end");
        }
        Ok(keys)
    }

    /// Members of an object whose brace is behind us, to its other brace.
    fn members(&mut self, depth: u32, mut found: impl FnMut(String)) -> Parsed<()> {
        self.space();
        if self.accept(b'}') {
            return Ok(());
        }
        loop {
            self.space();
            self.expect(b'"', "a key")?;
            found(self.string()?);
            self.space();
            self.expect(b':', "a colon")?;
            self.value(depth)?;
            self.space();
            if !self.accept(b',') {
                return self.expect(b'}', "a comma or a closing brace");
            }
        }
    }

    fn elements(&mut self, depth: u32) -> Parsed<()> {
        self.space();
        if self.accept(b']') {
            return Ok(());
        }
        loop {
            self.value(depth)?;
            self.space();
            if !self.accept(b',') {
                return self.expect(b']', "a comma or a closing bracket");
            }
        }
    }

    /// Any value; depth is that of the value around it.
    fn value(&mut self, depth: u32) -> Parsed<()> {
        self.space();
        if depth >= MAX_DEPTH && matches!(self.peek(), Some(b'{' | b'[')) {
            return self.fail("less nesting (1000 levels at most)");
        }
        match self.peek() {
            Some(b'{') => {
                self.at += 1;
                self.members(depth + 1, |_| {})
            }
            Some(b'[') => {
                self.at += 1;
                self.elements(depth + 1)
            }
            Some(b'"') => {
                self.at += 1;
                self.string().map(|_| ())
            }
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.fail("a value"),
        }
    }

    fn word(&mut self, word: &'static [u8]) -> Parsed<()> {
        for &byte in word {
            self.expect(byte, "true, false or null")?;
        }
        Ok(())
    }

    fn number(&mut self) -> Parsed<()> {
        self.accept(b'-');
        if !self.accept(b'0') {
            self.digits()?;
        }
        if self.accept(b'.') {
            self.digits()?;
        }
        if self.accept(b'e') || self.accept(b'E') {
            let _sign = self.accept(b'+') || self.accept(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Parsed<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.fail("a digit");
        }
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        Ok(())
    }

    /// A string whose first quote is behind us, unescaped. The record is valid UTF-8 already.
    fn string(&mut self) -> Parsed<String> {
        let mut out = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(String::from_utf8(out).unwrap_or_default());
                }
                Some(b'\\') => {
                    self.at += 1;
                    let c = self.escape()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Some(byte) if byte >= 0x20 => {
                    out.push(byte);
                    self.at += 1;
                }
                _ => return self.fail("a character or the closing quote of a string"),
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let c = match self.peek() {
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            Some(byte @ (b'"' | b'\\' | b'/')) => byte as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return self.fail("an escape"),
        };
        self.at += 1;
        Ok(c)
    }

    /// Four hexadecimal digits, or two such escapes for a surrogate pair. A lone surrogate stands for U+FFFD.
    fn unicode(&mut self) -> Parsed<char> {
        let high = self.hex4()?;
        let after = self.at;
        if (0xd800..0xdc00).contains(&high) && self.accept(b'\\') && self.accept(b'u') {
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.at = after;
        Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Parsed<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| (byte as char).to_digit(16));
            match digit {
                Some(digit) => code = code << 4 | digit,
                None => return self.fail("a hexadecimal digit"),
            }
            self.at += 1;
        }
        Ok(code)
    }
}

fn push_decimal(out: &mut Vec<u8>, n: usize) {
    if n >= 10 {
        push_decimal(out, n / 10);
    }
    out.push(b'0' + (n % 10) as u8);
}

fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=0x1f => {
                out.extend_from_slice(b"\\u00");
                out.push(b"01"[(byte >> 4) as usize & 1]);
                out.push(b"0123456789abcdef"[byte as usize & 15]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

fn list(keys: &BTreeSet<String>) -> Vec<u8> {
    let mut out = vec![b'['];
    for key in keys {
        if out.len() > 1 {
            out.push(b',');
        }
        push_string(&mut out, key);
    }
    out.push(b']');
    out
}

fn complaint(failure: Failure) -> Vec<u8> {
    let mut out = b"byte ".to_vec();
    push_decimal(&mut out, failure.at);
    out.extend_from_slice(b": expected ");
    out.extend_from_slice(failure.expected.as_bytes());
    out
}

fn keys_of(text: &[u8]) -> Parsed<BTreeSet<String>> {
    if let Err(wrong) = std::str::from_utf8(text) {
        return Err(Failure { at: wrong.valid_up_to(), expected: "UTF-8" });
    }
    Parser { text, at: 0 }.record()
}

extern "C" fn work() {
    let mut buf = vec![0; 65536];
    loop {
        let len = unsafe { pool::next(buf.as_mut_ptr(), buf.len()) };
        if len < 0 {
            return;
        }
        let (len, have) = (len as usize, buf.len());
        if len > have {
            buf.resize(len, 0);
            unsafe { pool::read(have, buf[have..].as_mut_ptr(), len - have) };
        }
        match keys_of(&buf[..len]) {
            Ok(keys) => {
                let out = list(&keys);
                unsafe { pool::reply(out.as_ptr(), out.len()) }
            }
            Err(failure) => {
                let out = complaint(failure);
                unsafe { pool::fail(out.as_ptr(), out.len()) }
            }
        }
    }
}

#[no_mangle]
pub extern "C" fn _start() {
    unsafe { pool::serve(work) }
}
