/* upper: replies to every record with its ASCII letters in upper case. A WASI program on wasi-libc: it says on standard
 * error how far it has come, every 1000 records. */
/* Built by: build.sh */
#include <stdlib.h>
#include <unistd.h>

#include "pool.h"

void __wasm_call_ctors(void); /* the linker's: runs the constructors */

static void say_done(uint64_t n) {
  char line[40], digits[20];
  size_t len = 0, d = 0;
  do digits[d++] = (char)('0' + n % 10); while (n /= 10);
  while (d > 0) line[len++] = digits[--d];
  for (const char *s = " records in upper case\n"; *s; s++) line[len++] = *s;
  write(STDERR_FILENO, line, len);
}

/* A record that fits the buffer is there already, else the buffer grows and the rest is read. */
static char *whole(char *buf, size_t *cap, uint32_t len) {
  if (len <= *cap) return buf;
  char *bigger = realloc(buf, len);
  if (!bigger) abort();
  pool_read(*cap, bigger + *cap, len - *cap);
  *cap = len;
  return bigger;
}

static void work(void) {
  __wasm_call_ctors(); /* _start ran them in the first instance only */
  size_t cap = 4096;
  char *buf = malloc(cap);
  if (!buf) abort();
  int32_t len;
  for (uint64_t n = 1; (len = pool_next(buf, cap)) >= 0; n++) {
    buf = whole(buf, &cap, (uint32_t)len);
    for (int32_t i = 0; i < len; i++)
      if (buf[i] >= 'a' && buf[i] <= 'z') buf[i] -= 'a' - 'A';
    pool_reply(buf, (uint32_t)len);
    if (n % 1000 == 0) say_done(n);
  }
}

int main(void) {
  pool_serve(work);
  return 0;
}
