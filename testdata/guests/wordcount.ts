// wordcount: replies to every record with its number of words, which are maximal runs of bytes other than space, tab, CR, LF,
// VT and FF.
// Built by: build.sh

@external("pool", "serve") declare function serve(entry: u32): void;
@external("pool", "next") declare function next(buf: usize, cap: u32): i32;
@external("pool", "read") declare function read(off: u32, buf: usize, cap: u32): u32;
@external("pool", "reply") declare function reply(ptr: usize, len: u32): void;

const CHUNK: u32 = 65536;
const chunk: usize = memory.data(65536, 8);
const digits: usize = memory.data(10);

function isSpace(byte: u8): bool {
  return byte == 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

// Counts chunk by chunk; a word may go on from one chunk into the next.
function count(total: u32): u32 {
  let words: u32 = 0;
  let inside = false;
  let off: u32 = 0;
  let have = total < CHUNK ? total : CHUNK; // next brought the first chunk
  while (have > 0) {
    for (let i: u32 = 0; i < have; i++) {
      const space = isSpace(load<u8>(chunk + i));
      if (!space && !inside) words++;
      inside = !space;
    }
    off += have;
    have = off < total ? read(off, chunk, CHUNK) : 0;
  }
  return words;
}

function replyNumber(n: u32): void {
  let at: usize = digits + 10;
  do {
    store<u8>(--at, 0x30 + (n % 10));
    n /= 10;
  } while (n > 0);
  reply(at, <u32>(digits + 10 - at));
}

function work(): void {
  let len = next(chunk, CHUNK);
  while (len >= 0) {
    replyNumber(count(len));
    len = next(chunk, CHUNK);
  }
}

serve(work.index);
