import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { afterAll, expect, test } from 'vitest'

/** Node modules and packages that open connections, query name servers or start programs that may. */
const NETWORK =
  /^(?:(?:node:)?(?:net|tls|dgram|dns|dns\/promises|http|https|http2|child_process|cluster|inspector|inspector\/promises|module|vm|process)|undici|socks|pg|pg-boss|ioredis|nodemailer|openid-client|@workos-inc\/node|ws|got|axios|node-fetch)(?:\/.*)?$/
/** Other exports of these modules: they send nothing. */
const HARMLESS = ['BlockList', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES']
/** Globals that reach the network. */
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

const OUTBOUND = 'server/src/platform/outbound/'

/**
 * Sources that reach the network in addition to `platform/outbound`, and by which module. Each connects to addresses
 * from the operator's settings, and never to addresses from users.
 */
const REACHES: Record<string, string[]> = {
  // The database of DATABASE_URL, or the embedded one.
  'server/src/operator/backup/failures.ts': ['pg'],
  'server/src/operator/backup/session.ts': ['pg'],
  'server/src/platform/database/connection/failures.ts': ['pg'],
  'server/src/platform/database/connection/database-instance.ts': ['pg'],
  'server/src/platform/database/migrate.ts': ['pg'],
  'server/src/platform/database/connection/open.ts': ['pg'],
  'server/src/platform/database/connection/prepared.ts': ['pg'],
  'server/src/platform/database/scope/tenant-scope.ts': ['pg'],
  'server/src/platform/database/transaction.ts': ['pg'],
  'server/src/platform/jobs/jobs.ts': ['pg-boss'],
  'server/src/platform/events/listener.ts': ['pg'],
  // Redis of REDIS_URL, the mail server of SMTP_URL.
  'server/src/platform/http/limits/redis-rate-limit.ts': ['ioredis'],
  'server/src/platform/mail/mailer.ts': ['nodemailer'],
  // The doctor: the database, and what the settings name, through the public address as well.
  'server/src/features/instance/doctor/doctor.ts': ['pg'],
  'server/src/features/instance/doctor/reach.ts': [
    'ioredis',
    'node:dns/promises',
    'node:http',
    'node:https',
    'node:tls',
    'nodemailer',
  ],
  // The bucket of STORAGE_URL.
  'server/src/platform/files/s3/s3-client.ts': ['undici'],
  // TXT records that prove domains, queried at DNS_SERVERS; and the check of that setting.
  'server/src/platform/dns.ts': ['node:dns/promises'],
  'server/src/platform/config/config-values.ts': ['node:dns'],
  // Identity providers of OIDC_ISSUER and WORKOS_API_URL.
  'server/src/features/auth/linked-accounts/providers/oidc.ts': ['openid-client'],
  'server/src/features/auth/linked-accounts/providers/workos.ts': ['@workos-inc/node'],
  // Over connections that the way out of scans has opened and checked; of undici a request and its errors, of TLS a
  // handshake.
  'server/src/features/scans/scanners/failures.ts': ['undici'],
  'server/src/features/scans/scanners/web/fetch-once.ts': ['undici'],
  'server/src/features/scans/scanners/tls/tls.ts': ['node:tls'],
  // nmap opens its own sockets, to checked addresses, and is asked for its version. A guard ends it with the server.
  'server/src/features/scans/scanners/nmap/nmap.ts': ['node:child_process'],
  'server/src/features/scans/scanners/nmap/nmap-guard.ts': ['node:child_process'],
  'server/src/features/scans/scanners/nmap/nmap-process.ts': ['node:child_process'],
  // The compiler of PDF files runs in a process without network.
  'server/src/features/report-renders/typst/write-pdf.ts': ['node:child_process'],
  // `fetch` is the name of the library's function that answers a request: it connects to nothing.
  'server/src/features/mcp/mcp.routes.ts': ['fetch'],
  // Listening.
  'server/src/platform/http/limits/connections.ts': ['node:http'],
  'server/src/platform/http/server/listeners.ts': ['node:net'],
  'server/src/platform/http/server/metrics-listener.ts': ['node:http'],
  'server/src/operator/demo/demo-network.ts': ['node:http', 'node:net'],
}

/**
 * Sources that cannot send, and so need not check whether the instance is live (O4). All others call `requireLive`
 * before they send: safe-mode-ways-out.test.ts tries every function of theirs.
 */
const NO_WAYS_OUT: Record<string, RegExp> = {
  'what the settings of the operator name, for the doctor, who sends no data of the instance':
    /^server\/src\/features\/instance\/doctor\//,
  'the database, which the instance itself is':
    /^server\/src\/(?:platform\/(?:database|jobs|events)\/|operator\/backup\/)/,
  'the bucket of uploaded files, which is a part of the instance': /platform\/files\/s3\/s3-client\.ts$/,
  'Redis, which counts requests': /platform\/http\/limits\/redis-rate-limit\.ts$/,
  'name servers of the settings, about the records that prove a domain': /platform\/(?:dns|config\/config-values)\.ts$/,
  'identity providers, without whom no one could sign in': /features\/auth\/linked-accounts\/providers\//,
  'what platform/outbound has checked a moment ago, over its connections or after asking it':
    /features\/scans\/scanners\//,
  'no one: it starts a program without network': /features\/report-renders\/typst\//,
  'no one: it answers a request': /features\/mcp\/mcp\.routes\.ts$/,
  'no one: it listens':
    /(?:http\/(?:limits\/connections|server\/listeners|server\/metrics-listener)|operator\/demo\/demo-network)\.ts$/,
}

/** The run-time imports of a source that reach the network, and the globals that do. */
const reachesOf = (file: string): string[] => {
  const { program, module, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found = new Set<string>()
  for (const { moduleRequest, entries } of module.staticImports) {
    const isHarmless =
      entries.length > 0 &&
      entries.every(({ isType, importName }) => isType || HARMLESS.includes(importName.name ?? ''))
    if (NETWORK.test(moduleRequest.value) && !isHarmless) found.add(moduleRequest.value)
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries)
      if (moduleRequest && NETWORK.test(moduleRequest.value)) found.add(moduleRequest.value)
  }
  new Visitor({
    Identifier: ({ name }) => {
      if (GLOBALS.includes(name)) found.add(name)
    },
    MemberExpression: ({ object, property }) => {
      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? String(property.value) : ''
      if (
        object.type === 'Identifier' &&
        object.name === 'process' &&
        ['getBuiltinModule', 'binding', 'dlopen'].includes(name)
      )
        found.add(`process.${name}`)
    },
    ImportExpression: ({ source }) => {
      if (source.type !== 'Literal') found.add('import() of an expression')
      else if (NETWORK.test(String(source.value))) found.add(String(source.value))
    },
  }).visit(program)
  return [...found].toSorted()
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-egress-'))
afterAll(() => rmSync(directory, { recursive: true }))

const sources = readdirSync('server/src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))

test('the sources that reach the network in addition to platform/outbound are those listed here, each by the listed modules', () => {
  expect(sources.length).toBeGreaterThanOrEqual(150)
  const found = sources.filter((file) => !file.startsWith(OUTBOUND)).map((file) => [file, reachesOf(file)] as const)
  expect(Object.fromEntries(found.filter(([, reaches]) => reaches.length > 0))).toEqual(REACHES)
})

test('O4: each of them is listed as unable to send, and why, or checks whether the instance is live', () => {
  const ways = Object.keys(REACHES).filter((file) => !Object.values(NO_WAYS_OUT).some((pattern) => pattern.test(file)))
  expect(ways).toEqual(['server/src/platform/mail/mailer.ts'])
  for (const file of [...ways, `${OUTBOUND}outbound.ts`, `${OUTBOUND}records.ts`])
    expect(readFileSync(file, 'utf8'), file).toContain('await requireLive()')
  for (const [why, pattern] of Object.entries(NO_WAYS_OUT))
    expect(Object.keys(REACHES).filter((file) => pattern.test(file)).length, why).toBeGreaterThan(0)
})

test('platform/outbound reaches it by TCP, TLS, UDP, name servers, undici and a client of SOCKS', () => {
  const reaches = sources.filter((file) => file.startsWith(OUTBOUND)).flatMap(reachesOf)
  expect([...new Set(reaches)].toSorted()).toEqual([
    'node:dgram',
    'node:dns/promises',
    'node:net',
    'node:tls',
    'pg',
    'socks',
    'undici',
  ])
})

/** The functions of `outbound` that open connections. */
const OPENING = ['connect', 'connectUdp', 'createHttpAgent']

/** The methods of an `outbound` that a source calls, among those that open connections. */
const openingsOf = (file: string): string[] => {
  const found = new Set<string>()
  new Visitor({
    MemberExpression: ({ object, property }) => {
      const name =
        object.type === 'Identifier'
          ? object.name
          : object.type === 'MemberExpression' && object.property.type === 'Identifier'
            ? object.property.name
            : ''
      const isOutbound = /outbound/i.test(name)
      if (isOutbound && property.type === 'Identifier' && OPENING.includes(property.name)) found.add(property.name)
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return [...found].toSorted()
}

test('connections for users are opened in three places, each of which checks the rules for each connection', () => {
  const found = sources.map((file) => [file, openingsOf(file)] as const).filter(([, openings]) => openings.length > 0)
  expect(Object.fromEntries(found)).toEqual({
    // Calls requirePermitted through `permit`.
    'server/src/features/scans/network/scan-network.ts': ['connect', 'createHttpAgent'],
    // Calls it through the check of its hop (run-rules.service.ts).
    'server/src/features/requests/sending/exchange.ts': ['createHttpAgent'],
    // Sends nothing: asks the system for the address that it would send from.
    'server/src/platform/outbound/source-address.ts': ['connectUdp'],
  })
})

test('one function, which scans and requests call, checks scope, hours, status and right of connections', () => {
  const imports = (file: string, name: string) =>
    new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from`).test(readFileSync(file, 'utf8'))
  expect(sources.filter((file) => imports(file, 'evaluateConnection')).toSorted()).toEqual([
    'server/src/features/connection-rules/permit.ts',
    // Evaluates hosts that a file reports, and connects to nothing.
    'server/src/features/inventory/hosts/hosts.service.ts',
    // Evaluates stored results, and connects to nothing.
    'server/src/features/inventory/ingest/own-verdicts.ts',
  ])
  expect(sources.filter((file) => imports(file, 'requirePermitted')).toSorted()).toEqual([
    'server/src/features/requests/runs/execute/run-rules.service.ts',
    'server/src/features/scans/network/scan-network.ts',
  ])
})

test.each([
  ['await outbound.connect({ host, port, check })', ['connect']],
  ['const agent = tools.outbound.createHttpAgent(options)', ['createHttpAgent']],
  ['tools.connect()', []],
])('a source with %s opens %j', (text, openings) => {
  const file = path.join(directory, 'opening.ts')
  writeFileSync(file, text)
  expect(openingsOf(file)).toEqual(openings)
})

test.each([
  ["import { connect } from 'node:net'", 'node:net'],
  ["import net from 'net'", 'net'],
  ["import * as http from 'node:http'", 'node:http'],
  ["import 'undici'", 'undici'],
  ["import type { Socket } from 'node:net'", undefined],
  ["import { type Socket, isIP } from 'node:net'", undefined],
  ["export { connect } from 'node:tls'", 'node:tls'],
  ["const dgram = await import('node:dgram')", 'node:dgram'],
  ["const dgram = await import('node:' + 'dgram')", 'import() of an expression'],
  ["await fetch('http://example.com')", 'fetch'],
  ["const { fetch: ask } = globalThis; ask('http://example.com')", 'fetch'],
  ["globalThis.fetch('http://example.com')", 'fetch'],
  ["new WebSocket('ws://example.com')", 'WebSocket'],
  ["process.getBuiltinModule('net')", 'process.getBuiltinModule'],
  ["import { createRequire } from 'node:module'", 'node:module'],
  ["import { spawn } from 'node:child_process'", 'node:child_process'],
])('a source with %s is detected: %s', (text, reach) => {
  const file = path.join(directory, 'source.ts')
  writeFileSync(file, text)
  expect(reachesOf(file)).toEqual(reach === undefined ? [] : [reach])
})
