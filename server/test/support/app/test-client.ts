import { checkResponse } from '../document/check-response.ts'

export interface TestResponse {
  status: number
  headers: Headers
  /** The parsed JSON body; undefined if there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any
  text: string
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  rawBody?: string | Uint8Array
}

/** A plain HTTP client of one caller. Every answer is checked against the contract. */
export class TestClient {
  readonly origin: string
  readonly headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin
    this.headers = headers
  }

  get = (path: string, options?: RequestOptions) => this.request('GET', path, options)
  post = (path: string, body?: unknown, options?: RequestOptions) => this.request('POST', path, { ...options, body })
  patch = (path: string, body?: unknown, options?: RequestOptions) => this.request('PATCH', path, { ...options, body })
  delete = (path: string, options?: RequestOptions) => this.request('DELETE', path, options)

  /** Another client of this caller with additional or replaced headers. */
  with(headers: Record<string, string>): TestClient {
    return new TestClient(this.origin, { ...this.headers, ...headers })
  }

  async request(
    method: string,
    path: string,
    { headers = {}, body, rawBody }: RequestOptions = {},
  ): Promise<TestResponse> {
    const hasJson = body !== undefined
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: { ...(hasJson && { 'content-type': 'application/json' }), ...this.headers, ...headers },
      ...(hasJson ? { body: JSON.stringify(body) } : rawBody !== undefined ? { body: rawBody as string } : {}),
    })
    const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (isEndless) await response.body?.cancel()
    const text = isEndless ? '' : await response.text()
    // Not JSON lines.
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    const result = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    }
    await checkResponse(method, path, result)
    return result
  }
}
