import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stage } from '../app/server-process.ts'

/** The requests to a stub, in order. */
export interface StubRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/**
 * Replaces the server behind a proxy if a test examines the bytes between them: records each request, reports healthy,
 * and answers `handle` or else 200 with the request.
 *
 * @param requests filled in the order in which requests arrive
 * @returns its port
 */
export const startStub = async (
  stage: Stage,
  requests: StubRequest[],
  handle: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<number> => {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    if (url === '/api/health') return void response.end('{"status":"ok"}')
    const noted: StubRequest = { method, url, headers, body: '' }
    requests.push(noted)
    request.on('error', () => undefined)
    if (handle(request, response)) return
    request.on('data', (chunk) => (noted.body += chunk))
    request.once('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ method, url, headers })),
    )
  })
  server.on('connect', ({ method = '', url = '', headers }, socket) => {
    requests.push({ method, url, headers, body: '' })
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  stage.add(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
