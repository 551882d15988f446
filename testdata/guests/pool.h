/* The imports that the pool command serves: docs/guest-abi.md. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>
#include <stdint.h>

#define POOL_IMPORT(name) __attribute__((import_module("pool"), import_name(name)))

POOL_IMPORT("serve") void pool_serve(void (*entry)(void));
POOL_IMPORT("next") int32_t pool_next(void *buf, uint32_t cap);
POOL_IMPORT("read") uint32_t pool_read(uint32_t off, void *buf, uint32_t cap);
POOL_IMPORT("reply") void pool_reply(const void *ptr, uint32_t len);
POOL_IMPORT("fail") void pool_fail(const void *ptr, uint32_t len);
POOL_IMPORT("tag") uint64_t pool_tag(void);
POOL_IMPORT("log") void pool_log(const void *ptr, uint32_t len);

#endif
