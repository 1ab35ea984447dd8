// The C library keeps a pool of freed memory for each thread, and larger and larger blocks in it. Two pools without the
// large blocks save some 150 MB after large files. It reads these when a process starts.
export function limitMemory() {
  process.env.MALLOC_ARENA_MAX ??= '2'
  process.env.MALLOC_MMAP_THRESHOLD_ ??= '131072'
  process.env.MALLOC_TRIM_THRESHOLD_ ??= '131072'
}
