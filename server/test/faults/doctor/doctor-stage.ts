import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sortie } from '../../support/app/operator.ts'
import { eventually, freePort, type Stage } from '../../support/app/server-process.ts'

const tlsFile = (name: string): string => path.resolve(`server/test/fixtures/tls/${name}.pem`)
export const AUTHORITY_FILE = tlsFile('authority')

export interface Checked {
  name: string
  status: 'ok' | 'warning' | 'problem'
  found: string
  fix: string | null
}

/** Runs the command with `--json`. */
export const examine = async (dataDir: string, env: Record<string, string>) => {
  const { code, out, err } = await sortie(['doctor', '--json'], dataDir, {
    NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
    ...env,
  })
  if (!out.startsWith('{')) throw new Error(`doctor printed no JSON: ${out}\n${err}`)
  const { checks } = JSON.parse(out) as { checks: Checked[] }
  return { code, checks, of: (name: string) => checks.find((check) => check.name === name) as Checked }
}

/** A site of nginx: what differs from a good one. */
export interface Site {
  /** `listen`, with the port of this site by default. */
  listen?: string
  certificate?: 'trusted' | 'expired' | 'self-signed'
  /** In `server`. */
  server?: string
  /** In `location /`, instead of the good lines. */
  location?: string
}

export const GOOD_HEADERS = 'proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;'
export const GOOD_BODIES = 'proxy_request_buffering off;'

/** One nginx with a port of its own for each site. @returns the address of each */
export const startSites = async <Name extends string>(
  stage: Stage,
  target: number,
  sites: Readonly<Record<Name, Site>>,
): Promise<Record<Name, string>> => {
  const directory = stage.directory()
  const addresses: Partial<Record<Name, string>> = {}
  const servers: string[] = []
  for (const [name, site] of Object.entries(sites) as [Name, Site][]) {
    const port = await freePort()
    addresses[name] = `https://127.0.0.1:${port}`
    servers.push(`server {
      ${site.listen ?? `listen 127.0.0.1:${port} ssl;`}
      ssl_certificate ${tlsFile(site.certificate ?? 'trusted')}; ssl_certificate_key ${tlsFile('key')};
      ${site.server ?? 'client_max_body_size 0;'}
      location / { proxy_pass http://127.0.0.1:${target}; proxy_http_version 1.1; ${site.location ?? `${GOOD_HEADERS} ${GOOD_BODIES}`} }
    }`)
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  )
  const file = path.join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; pid ${directory}/nginx.pid; error_log stderr;
    events { worker_connections 256; } http { access_log off; ${temporary.join(' ')} ${servers.join('\n')} }`,
  )
  const child = spawn('nginx', ['-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  stage.add(async () => {
    child.kill('SIGTERM')
    await closed
  })
  await eventually(async () => {
    for (const address of Object.values<string | undefined>(addresses)) {
      if (address) await opens(Number(new URL(address).port))
    }
  })
  return addresses as Record<Name, string>
}

const opens = async (port: number): Promise<void> => {
  const { connect } = await import('node:net')
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
