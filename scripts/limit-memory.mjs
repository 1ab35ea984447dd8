// glibc keeps a pool of freed memory per thread, with ever larger blocks. Limiting it to two pools without large
// blocks saves some 150 MB after large files; uploads arrive in blocks of 64 KB. V8 would use 64 MB for short-lived
// objects instead of 32 MB. Read at process start.
export function limitMemory() {
  process.env.MALLOC_ARENA_MAX ??= '2'
  process.env.MALLOC_MMAP_THRESHOLD_ ??= '65536'
  process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
  process.env.NODE_OPTIONS ??= '--max-semi-space-size=16'
}
