// A small network for the demonstration to scan: services on addresses of this machine. Ends with the process that
// started it.
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { DEMO_HOSTS } from './demo-hosts.ts'

/** Without such an address, or with the port in use, the scan finds less. */
const ignored = () => undefined

const web = (title: string, server: string) =>
  createHttpServer((_request, response) =>
    response.writeHead(200, { server, 'content-type': 'text/html' }).end(`<title>${title}</title>`),
  ).on('error', ignored)

/** Sends this text to every client. */
const banner = (text: string) =>
  createServer((socket) => socket.on('error', ignored).end(`${text}\r\n`)).on('error', ignored)

const SERVICES: [address: string, port: number, server: Server][] = [
  [DEMO_HOSTS.gateway, 2222, banner('SSH-2.0-OpenSSH_9.6p1 Debian-3')],
  [DEMO_HOSTS.gateway, 8080, web('Sign in to the gateway', 'nginx/1.24.0')],
  [DEMO_HOSTS.mail, 2525, banner('220 mail.lab.example ESMTP Postfix')],
  [DEMO_HOSTS.shop, 8080, web('Shop', 'Apache/2.4.58')],
  [DEMO_HOSTS.shop, 8081, web('Metrics', 'Jetty(9.4.53)')],
]

for (const [address, port, server] of SERVICES) server.listen(port, address)
process.stdin.on('end', () => process.exit(0)).resume()
