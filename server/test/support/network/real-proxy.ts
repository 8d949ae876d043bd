import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'node:tls'
import { eventually, freePort, type Stage } from '../app/server-process.ts'

const DEPLOY = path.resolve('deploy')
const FIXTURES = path.resolve('server/test/fixtures/tls')
const fixture = (name: string): string => path.join(FIXTURES, `${name}.pem`)

/** The authority that signed the certificate of the proxies. */
export const AUTHORITY = readFileSync(fixture('authority'))
/** The name of the certificate; it replaces `sortie.example.com` of the shipped files. */
export const SITE = 'target.example.com'

export type ProxyName = 'nginx' | 'caddy' | 'haproxy'

/** A proxy that runs the configuration of `deploy/`. */
export interface RealProxy {
  /** Loopback ports for HTTPS and HTTP. */
  port: number
  plainPort: number
  /** Everything that it logged: its output, its log files and its syslog messages. */
  logs(): string
  close(): Promise<void>
}

/** The path of each shipped file, from `deploy/`. */
export const CONFIGURATIONS: Readonly<Record<ProxyName, string>> = {
  nginx: 'nginx/sortie.conf',
  caddy: 'caddy/Caddyfile',
  haproxy: 'haproxy/haproxy.cfg',
}

export const readConfiguration = (name: ProxyName): string =>
  readFileSync(path.join(DEPLOY, CONFIGURATIONS[name]), 'utf8')

/** A rendered value in place of a shipped one: only ports, addresses, paths and names. */
type Replacement = [shipped: string | RegExp, rendered: string]

interface Rendering {
  directory: string
  services: readonly number[]
  port: number
  plainPort: number
  /** The port that receives syslog messages. */
  syslogPort: number
  spare(): Promise<number>
}

/** @throws if the shipped file no longer contains a text to be replaced */
const render = (name: ProxyName, replacements: readonly Replacement[]): string =>
  replacements.reduce((text, [shipped, rendered]) => {
    const replaced = text.replaceAll(typeof shipped === 'string' ? shipped : new RegExp(shipped, 'g'), () => rendered)
    if (replaced === text) throw new Error(`deploy/${CONFIGURATIONS[name]} has no ${shipped}`)
    return replaced
  }, readConfiguration(name))

const addresses = ([first, second]: readonly number[], withoutSecond: Replacement[]): Replacement[] => [
  ['127.0.0.1:3001', `127.0.0.1:${first}`],
  ...(second === undefined ? withoutSecond : [['127.0.0.1:3002', `127.0.0.1:${second}`] as Replacement]),
]

const isRoot = process.getuid?.() === 0
/** Debian's system programs are in these directories, which are not on every user's path. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

/** Writes the rendered configuration. @returns the command that runs it in the foreground */
const PREPARE: Readonly<Record<ProxyName, (rendering: Rendering) => Promise<[command: string, ...args: string[]]>>> = {
  nginx: async ({ directory, services, port, plainPort, spare }) => {
    const site = render('nginx', [
      ...addresses(services, [[/\n *server 127\.0\.0\.1:3002 [^\n]*one service/, '']]),
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen [::]:80;', `listen 127.0.0.1:${await spare()};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['listen [::]:443 ', `listen 127.0.0.1:${await spare()} `],
      ['/etc/ssl/sortie/fullchain.pem', fixture('trusted')],
      ['/etc/ssl/sortie/key.pem', fixture('key')],
      ['/var/log/nginx/', `${directory}/`],
      ['sortie.example.com', SITE],
    ])
    writeFileSync(path.join(directory, 'sortie.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${directory}/${kind};`,
    )
    const main = path.join(directory, 'nginx.conf')
    writeFileSync(
      main,
      `${isRoot ? 'user root;' : ''} worker_processes 1; pid ${directory}/nginx.pid; error_log stderr;
      events { worker_connections 1024; }
      http { access_log ${directory}/access.log; ${temporary.join(' ')} include ${directory}/sortie.conf; }`,
    )
    return ['nginx', '-c', main, '-e', 'stderr', '-g', 'daemon off;']
  },
  caddy: async ({ directory, services, port, plainPort, spare }) => {
    const file = path.join(directory, 'Caddyfile')
    const rendered = render('caddy', [
      ...addresses(services, [[' 127.0.0.1:3002', '']]),
      ['http_port 80\n', `http_port ${plainPort}\n\tdefault_bind 127.0.0.1\n`],
      ['https_port 443', `https_port ${port}`],
      ['localhost:2019', `127.0.0.1:${await spare()}`],
      ['# tls /etc/ssl/sortie/fullchain.pem /etc/ssl/sortie/key.pem', `tls ${fixture('trusted')} ${fixture('key')}`],
      ['sortie.example.com', SITE],
    ])
    writeFileSync(file, rendered)
    return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile']
  },
  haproxy: async ({ directory, services, port, plainPort, syslogPort }) => {
    const file = path.join(directory, 'haproxy.cfg')
    const both = path.join(directory, 'both.pem')
    writeFileSync(both, readFileSync(fixture('trusted'), 'utf8') + readFileSync(fixture('key'), 'utf8'))
    const rendered = render('haproxy', [
      ...addresses(services, [[/\n *server two 127\.0\.0\.1:3002 [^\n]*/, '']]),
      [':80,[::]:80 v6only', `127.0.0.1:${plainPort}`],
      [':443,[::]:443 v6only', `127.0.0.1:${port}`],
      ['/etc/ssl/sortie/fullchain-and-key.pem', both],
      ['/dev/log', `127.0.0.1:${syslogPort}`],
      ['abns@sortie', `abns@sortie-${port}`],
      // Only root may change to another user.
      ...(isRoot ? [] : [[/\n *(?:user|group) haproxy/, ''] as Replacement, [/\n *chroot [^\n]*/, ''] as Replacement]),
    ])
    writeFileSync(file, rendered)
    return ['haproxy', '-db', '-f', file]
  },
}

/**
 * Starts a proxy with its shipped configuration, in which only ports, addresses, paths and the site's name are
 * replaced.
 *
 * @param services loopback ports of the servers behind it, one or two
 */
export const startProxy = async (stage: Stage, name: ProxyName, services: readonly number[]): Promise<RealProxy> => {
  const directory = stage.directory()
  mkdirSync(path.join(directory, 'home'))
  const taken = new Set(services)
  const spare = async () => {
    let port = await freePort()
    while (taken.has(port)) port = await freePort()
    taken.add(port)
    return port
  }
  const [port, plainPort] = [await spare(), await spare()]
  let logged = ''
  const syslog = createSocket('udp4').on('message', (message) => (logged += `${message.toString()}\n`))
  await new Promise<void>((resolve) => {
    syslog.bind(0, '127.0.0.1', resolve)
  })
  stage.add(() => syslog.close())
  const [command, ...args] = await PREPARE[name]({
    directory,
    services,
    port,
    plainPort,
    syslogPort: syslog.address().port,
    spare,
  })
  const home = path.join(directory, 'home')
  const child = spawn(command, args, {
    env: { PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (logged += data))
  stage.add(() => end(child))
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('close', () => reject(new Error(`${name} ended:\n${logged}`)))
  })
  ended.catch(() => undefined)
  await Promise.race([eventually(() => opens(port)), ended])
  const files = () => readdirSync(directory).filter((file) => file.endsWith('.log'))
  return {
    port,
    plainPort,
    logs: () =>
      logged +
      files()
        .map((file) => readFileSync(path.join(directory, file), 'utf8'))
        .join(''),
    close: () => end(child),
  }
}

/** Resolves once the proxy presents its certificate. */
const opens = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: SITE, ca: AUTHORITY }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  // nginx and HAProxy end at once with it, and so do their workers.
  child.kill('SIGTERM')
  await ended
}
