/* sha256: a task's reply is the SHA-256 of its bytes (FIPS 180-4), 32 bytes. */
/* Built by: build.sh */
typedef unsigned char byte;
typedef unsigned int word;

#define IMPORT(name) __attribute__((import_module("bench"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

IMPORT(next) int bench_next(byte *buffer, word capacity);
IMPORT(reply) void bench_reply(const byte *at, word length);
IMPORT(own) void bench_own(void);

static const word K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define CAPACITY 4096u

static byte buffer[CAPACITY];
static byte digest[32];

static word rotr(word x, int n) { return x >> n | x << (32 - n); }

static void compress(word h[8], const byte *block) {
  word w[64];
  for (int i = 0; i < 16; i++, block += 4)
    w[i] = (word)block[0] << 24 | (word)block[1] << 16 | (word)block[2] << 8 | block[3];
  for (int i = 16; i < 64; i++) {
    word s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    word s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  word a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
  for (int i = 0; i < 64; i++) {
    word s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    word t1 = k + s1 + (g ^ (e & (f ^ g))) + K[i] + w[i];
    word s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    word t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    k = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += k;
}

/* The last, partial block: a 1 bit, zeros, and the length in bits. */
static void finish(word h[8], const byte *rest, word length, word total) {
  byte block[128] = {0};
  for (word i = 0; i < length; i++) block[i] = rest[i];
  block[length] = 0x80;
  word end = length < 56 ? 64 : 128;
  for (int i = 0; i < 5; i++) block[end - 1 - i] = (byte)((unsigned long long)total * 8 >> 8 * i);
  compress(h, block);
  if (end == 128) compress(h, block + 64);
}

/* One task, whose bytes are in the buffer: returns where its digest is. */
EXPORT(run) const byte *run(word length) {
  word h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  word done = 0;
  for (; done + 64 <= length; done += 64) compress(h, buffer + done);
  finish(h, buffer + done, length - done, length);
  for (int i = 0; i < 32; i++) digest[i] = (byte)(h[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

/* The same task many times over, in one call. */
EXPORT(many) void many(word times, word length) {
  while (times--) run(length);
}

/* The worker's entry. next brings a task of that length; -1 is to return, -2 to trap. */
EXPORT(serve) void serve(void) {
  for (;;) {
    int length = bench_next(buffer, CAPACITY);
    if (length == -2) __builtin_trap();
    if (length < 0) return;
    bench_reply(run(length), sizeof digest);
  }
}

/* Where serve is in the table, as every C program tells: by a function pointer. */
EXPORT(entry) void (*entry(void))(void) { return serve; }

EXPORT(buffer) byte *where(void) { return buffer; }
EXPORT(own) void own(void) { bench_own(); }
