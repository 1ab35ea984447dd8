// The part of autocannon that the benchmarks use; the package ships no types.
declare module 'autocannon' {
  interface PreparedRequest {
    body?: string
  }
  interface Request {
    method: string
    path: string
    headers: Record<string, string>
    setupRequest: (request: PreparedRequest, context: Record<string, string>) => PreparedRequest
    onResponse: (status: number, body: string, context: Record<string, string>) => void
  }
  interface Options {
    url: string
    connections: number
    duration: number
    requests?: Request[]
    method?: string
    headers?: Record<string, string>
    body?: string
    /** Requests per second, over all connections. */
    overallRate?: number
    workers?: number
  }
  interface Result {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number; max: number }
    '2xx': number
    non2xx: number
    errors: number
  }
  function autocannon(options: Options): Promise<Result>
  export = autocannon
}
