import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import type { ScanInput } from '../../src/features/scans/scanners/scanner.ts'
import { tls } from '../../src/features/scans/scanners/tls/tls.ts'
import { faviconHash } from '../../src/features/scans/scanners/web/favicon-hash.ts'
import { http } from '../../src/features/scans/scanners/web/http.ts'
import { hereMs } from '../support/app/machine.ts'
import { type Listener, listen, listenWith } from '../support/clients/listeners.ts'
import { finiteFieldsIn, listenForHellos } from '../support/network/client-hello.ts'
import { allOf, coverageIn, logIn, rulesOf, sightingsIn, skippedIn, testReach } from '../support/scans/scan-reach.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/tls')
const PAIR = {
  cert: readFileSync(path.join(FIXTURES, 'self-signed.pem')),
  key: readFileSync(path.join(FIXTURES, 'key.pem')),
}

/** DHE-RSA needs an RSA key. */
const RSA_PAIR = {
  cert: readFileSync(path.join(FIXTURES, 'rsa-self-signed.pem')),
  key: readFileSync(path.join(FIXTURES, 'rsa-key.pem')),
}

let listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})
const kept = async (listening: Promise<Listener>): Promise<Listener> => {
  const listener = await listening
  listeners = [...listeners, listener]
  return listener
}

const serving = (answer: RequestListener) => kept(listenWith(createHttpServer(answer)))
const servingTls = (answer: RequestListener) => kept(listenWith(createHttpsServer(PAIR, answer)))
const service = ({ port }: Listener, more: object = {}): ScanInput => ({
  kind: 'service',
  address: '127.0.0.1',
  protocol: 'tcp',
  port,
  ...more,
})

const OPTIONS = { timeoutMs: 1_000, followRedirects: true }
const askHttp = async (inputs: ScanInput[], settings: Parameters<typeof testReach>[0] = {}, options = OPTIONS) => {
  const { reach, operations } = testReach(settings)
  const found = await allOf(http.run(inputs, options, reach))
  const of = (kind: string) => sightingsIn(found).filter((each) => each.kind === kind)
  return { found, operations, responses: of('http_response'), services: of('service'), technologies: of('technology') }
}

describe('the scanner of HTTP', () => {
  test('reports status, title, headers, technologies and the hash of the icon', async () => {
    const server = await serving((request, response) => {
      if (request.url === '/favicon.ico') return void response.end(Buffer.from('icon'))
      response.writeHead(200, {
        server: 'nginx/1.25.3',
        'x-powered-by': 'PHP/8.3.1',
        'content-security-policy': "default-src 'self'",
      })
      response.end('<html><TITLE lang=en>Shop &amp; more &#8211; Contoso</TITLE><script src="/wp-content/a.js">')
    })
    const { responses, services, technologies, operations } = await askHttp([service(server)])
    expect(responses).toMatchObject([
      {
        asset: `http://127.0.0.1:${server.port}/`,
        data: {
          status: 200,
          title: 'Shop & more – Contoso',
          server: 'nginx/1.25.3',
          headers: { 'content-security-policy': "default-src 'self'" },
        },
      },
    ])
    expect(responses[0]?.data['faviconHash']).toBe(faviconHash(Buffer.from('icon')))
    expect(services).toMatchObject([{ asset: `127.0.0.1:${server.port}/tcp`, data: { name: 'http' } }])
    expect(
      technologies.map(({ data }) => data).toSorted((a, b) => String(a['name']).localeCompare(String(b['name']))),
    ).toEqual([{ name: 'nginx', version: '1.25.3' }, { name: 'PHP', version: '8.3.1' }, { name: 'WordPress' }])
    expect(new Set(operations.map(({ ports: [range] }) => range?.[0]))).toEqual(new Set([server.port]))
  })

  test('hashes icons as other tools do', () => {
    // A published example of MurmurHash3: the Base64 of "hello" with a line break.
    expect(faviconHash(Buffer.from(''))).toBe('-1840324437')
  })

  test('finds HTTPS behind an unmarked port, with a self-signed certificate', async () => {
    const server = await servingTls((_request, response) => void response.end('ok'))
    const { responses, services } = await askHttp([service(server)])
    expect(responses).toMatchObject([{ asset: `https://127.0.0.1:${server.port}/`, data: { status: 200, length: 2 } }])
    expect(services).toMatchObject([{ data: { name: 'https', tunnel: 'ssl' } }])
  })

  test('follows redirects only within the scope, and a limited number', async () => {
    const other = await serving((_request, response) => void response.end('other'))
    const elsewhere = await kept(listen(undefined, '127.0.0.2'))
    const server = await serving((request, response) => {
      const targets: Record<string, string> = {
        '/': `http://127.0.0.1:${other.port}/in`,
        '/loop': '/loop2',
        '/loop2': '/loop',
        '/out': `http://127.0.0.2:${elsewhere.port}/`,
      }
      const location = targets[request.url ?? '']
      response.writeHead(location ? 302 : 404, location ? { location } : {}).end()
    })
    const urls = ['/', '/loop', '/out'].map((part): ScanInput => ({
      kind: 'url',
      url: `http://127.0.0.1:${server.port}${part}`,
    }))
    const { found, responses } = await askHttp(urls, { rules: rulesOf('allow 127.0.0.1') })
    expect(responses.map(({ asset }) => new URL(asset).pathname)).toContain('/in')
    expect(responses.length).toBeLessThan(12)
    expect(elsewhere.accepted).toBe(0)
    expect(logIn(found).join()).toContain('which')
    const direct = await askHttp(urls.slice(0, 1), {}, { ...OPTIONS, followRedirects: false })
    expect(direct.responses).toHaveLength(1)
  })

  test('ends with endless, slow, silent or garbage responses, and reports what it received', async () => {
    const endless = await serving((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(60_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const trickling = await serving((_request, response) => {
      response.write('<title>Slow</title>')
      const timer = setInterval(() => response.write('.'), 200)
      response.on('close', () => clearInterval(timer))
    })
    const silent = await kept(listen())
    const garbage = await kept(listen((socket) => socket.end(Buffer.alloc(70_000, 0xfe))))
    const headers = await kept(listen((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)))
    const started = performance.now()
    const { responses } = await askHttp([endless, trickling, silent, garbage, headers].map((each) => service(each)))
    expect(performance.now() - started).toBeLessThan(hereMs(15_000))
    expect(
      responses.map(({ data }) => [data['status'], data['title'] ?? 'none', data['bodySha256']]).toSorted(),
    ).toEqual([
      [200, 'Slow', undefined],
      [200, 'none', undefined],
    ])
  })

  test('reports of which URLs it knows the current response: a closed port has none, a silent one is not known', async () => {
    const server = await serving((_request, response) => void response.end('ok'))
    const silent = await kept(listen())
    const closed = await serving((_request, response) => void response.end())
    await closed.stop()
    listeners = listeners.filter((each) => each !== closed)
    const { found } = await askHttp(
      [server, silent, closed].map((each): ScanInput => ({ kind: 'url', url: `http://127.0.0.1:${each.port}/` })),
    )
    expect(coverageIn(found)).toEqual([{ what: 'url', host: '127.0.0.1', url: `http://127.0.0.1:${closed.port}/` }])
  })

  test('does not examine what is out of scope, and reports it', async () => {
    const server = await serving((_request, response) => void response.end())
    const { found, responses } = await askHttp([service(server)], {
      rules: rulesOf('allow 127.0.0.0/8', 'deny 127.0.0.1'),
    })
    expect([responses, server.accepted]).toEqual([[], 0])
    expect(skippedIn(found).join()).toContain('out of scope')
  })
})

describe('the scanner of TLS', () => {
  const TLS = { timeoutMs: 1_000, addTargets: false }
  const askTls = async (inputs: ScanInput[]) => {
    const found = await allOf(tls.run(inputs, TLS, testReach().reach))
    return sightingsIn(found).filter(({ kind }) => kind === 'tls_certificate')
  }

  test('reports names, dates, signature, versions and cipher', async () => {
    const server = await kept(listenWith(createTlsServer({ ...PAIR, minVersion: 'TLSv1.2' })))
    const [certificate] = await askTls([service(server)])
    const looked = coverageIn(await allOf(tls.run([service(server)], TLS, testReach().reach)))
    expect(looked).toEqual([{ what: 'certificate', host: '127.0.0.1', port: server.port, serverName: null }])
    expect(certificate?.data).toMatchObject({
      host: '127.0.0.1',
      port: server.port,
      subject: 'CN=shop.contoso.example, O=Contoso',
      issuer: 'CN=shop.contoso.example, O=Contoso',
      names: ['shop.contoso.example', '*.contoso.example', '127.0.0.1'],
      selfSigned: true,
      versions: ['TLSv1.2', 'TLSv1.3'],
    })
    expect(certificate?.data['sha256']).toMatch(/^[0-9a-f]{64}$/)
    expect(certificate?.data['cipher']).toMatch(/^TLS_/)
  })

  test('reports who has signed the certificate, as far as the server shows it', async () => {
    const read = (name: string) => readFileSync(path.join(FIXTURES, name), 'utf8')
    const signed = { key: PAIR.key, cert: read('trusted.pem') }
    const [unshown, shown] = [
      await kept(listenWith(createTlsServer(signed))),
      await kept(listenWith(createTlsServer({ ...signed, cert: `${signed.cert}\n${read('authority.pem')}` }))),
    ]
    const found = await askTls([service(unshown), service(shown)])
    const chains = new Map(found.map(({ port, data }) => [port, data['chain']]))
    expect([chains.get(unshown.port), chains.get(shown.port)]).toEqual([
      undefined,
      'CN=Sortie test authority, O=Sortie tests',
    ])
  })

  test('finds old versions, and names that do not match', async () => {
    const old = await kept(
      listenWith(createTlsServer({ ...PAIR, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })),
    )
    const [certificate] = await askTls([service(old, { name: 'localhost' })])
    expect(certificate?.data).toMatchObject({
      serverName: 'localhost',
      mismatched: true,
      versions: ['TLSv1', 'TLSv1.1'],
    })
  })

  test('reports nothing of a port without TLS, and does not wait for it', async () => {
    const [silent, greeting, garbage] = [
      await kept(listen()),
      await kept(listen((socket) => socket.write('220 hello\r\n'))),
      await kept(listen((socket) => socket.end(Buffer.alloc(5_000, 0x16)))),
    ]
    const started = performance.now()
    expect(
      await askTls([service(silent), service(greeting), service(garbage), service(silent, { service: 'ssh' })]),
    ).toEqual([])
    expect(performance.now() - started).toBeLessThan(hereMs(5_000))
  })
})

describe('T5: Diffie-Hellman over finite fields, whose cost a server chooses,', () => {
  const TLS = { timeoutMs: 1_000, addTargets: false }

  test('is offered neither by the scanner of HTTP nor by that of TLS, in any version', async () => {
    const { listener, hellos } = await listenForHellos()
    await kept(Promise.resolve(listener))
    await askHttp([{ kind: 'url', url: `https://127.0.0.1:${listener.port}/` }])
    expect(hellos.length).toBeGreaterThanOrEqual(1)
    await allOf(tls.run([service(listener)], TLS, testReach().reach))
    expect(hellos.length).toBeGreaterThanOrEqual(2)
    for (const hello of hellos) {
      expect(hello.ciphers.length).toBeGreaterThan(5)
      expect(finiteFieldsIn(hello)).toEqual([])
    }
  })

  const speaking = (ciphers: string, maxVersion: 'TLSv1.1' | 'TLSv1.2' = 'TLSv1.2') =>
    kept(
      listenWith(
        createTlsServer({
          ...RSA_PAIR,
          minVersion: 'TLSv1',
          maxVersion,
          ciphers: `${ciphers}:@SECLEVEL=0`,
          dhparam: 'auto',
        }),
      ),
    )
  const ask = async (server: Listener) =>
    allOf(tls.run([service(server, { name: 'localhost' })], TLS, testReach().reach))

  test.each<['TLSv1.1' | 'TLSv1.2', string, string]>([
    ['TLSv1.2', 'DHE-RSA-AES128-GCM-SHA256', 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'],
    ['TLSv1.1', 'DHE-RSA-AES256-SHA', 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA'],
  ])(
    'is read from what a server sends in plain text if it supports nothing else, in %s',
    async (version, ciphers, cipher) => {
      const server = await speaking(ciphers, version)
      const found = await ask(server)
      expect(sightingsIn(found)).toMatchObject([
        {
          kind: 'tls_certificate',
          data: {
            port: server.port,
            subject: 'CN=shop.contoso.example, O=Contoso',
            selfSigned: true,
            versions: [version],
            cipher,
          },
        },
      ])
      expect(coverageIn(found)).toHaveLength(1)
    },
  )

  test('is a warning if it is anonymous; no certificate is marked as gone', async () => {
    const server = await speaking('ADH-AES128-SHA')
    const found = await ask(server)
    expect([...sightingsIn(found), ...coverageIn(found)]).toEqual([])
    const port = `localhost port ${server.port}`
    expect(logIn(found)).toEqual([
      expect.stringContaining(`${port}: speaks TLSv1.2 with TLS_DH_anon_WITH_AES_128_CBC_SHA, without a certificate`),
    ])
  })

  test.each<[string, Buffer]>([
    ['garbage', Buffer.alloc(5_000, 0x16)],
    ['a message that says it has 16 MB', Buffer.from([22, 3, 3, 0, 4, 2, 255, 255, 255])],
    [
      'a certificate that is none',
      Buffer.from('160303002d020000260303'.concat('00'.repeat(32), '00', '009e', '00', '0b000003000000'), 'hex'),
    ],
    ['nothing', Buffer.alloc(0)],
  ])('is a warning if the server then sends %s', async (_, bytes) => {
    let connections = 0
    const refusal = Buffer.from([21, 3, 3, 0, 2, 2, 40])
    const server = await kept(
      listen((socket) => void socket.once('data', () => socket.end(++connections === 1 ? refusal : bytes))),
    )
    const found = await ask(server)
    expect([...sightingsIn(found), ...coverageIn(found)]).toEqual([])
    expect(logIn(found)).toEqual([expect.stringContaining('speaks TLS, but supports no cipher that was offered')])
  })
})
