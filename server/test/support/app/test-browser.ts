import { TestClient, type TestResponse } from './test-client.ts'

/** A client that keeps cookies as a browser does. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #origin: string
  readonly #headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.#origin = origin
    this.#headers = headers
  }

  get = (path: string) => this.request('GET', path)
  post = (path: string, body?: unknown) => this.request('POST', path, body)
  patch = (path: string, body?: unknown) => this.request('PATCH', path, body)
  delete = (path: string, body?: unknown) => this.request('DELETE', path, body)

  async request(method: string, path: string, body?: unknown): Promise<TestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const client = new TestClient(this.#origin, { ...this.#headers, ...(cookie && { cookie }) })
    const response = await client.request(method, path, { body })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** A browser elsewhere with a copy of these cookies, as a thief has them. */
  copy(): TestBrowser {
    const other = new TestBrowser(this.#origin, this.#headers)
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    return other
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals)
    const isCleared = attributes.some((attribute) => /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(attribute))
    if (isCleared) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(equals + 1))
  }
}
