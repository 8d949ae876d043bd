import { isLoopback } from '../../../platform/config/config-values.ts'
import { UnresolvedError } from '../../../platform/outbound/names.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { ownPorts } from '../../../platform/outbound/own-ports.ts'
import { type Check, ok, problem, reasonOf, warning } from './check.ts'
import { addressesOf, nameServerProblem, redisFacts, tryMailServer } from './reach.ts'

/** It evaluates the policy and connects to nothing. */
const CONNECTS_TO_NOBODY = { requireLive: async () => undefined }
const METADATA = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254']

const redis: Check = {
  name: 'redis',
  run: async ({ config: { REDIS_URL: url } }) => {
    if (!url) return ok('REDIS_URL is not set: each server counts rate limits for itself, which is right for one.')
    try {
      const { version, policy, maxMemory } = await redisFacts(url)
      if (policy.startsWith('allkeys'))
        return warning(
          `Redis ${version} has maxmemory-policy ${policy}${maxMemory > 0 ? '' : ' (no maxmemory yet)'}: it removes counters of rate limits when memory is short, and limits start over.`,
          'redis-cli CONFIG SET maxmemory-policy volatile-ttl, and the same in redis.conf',
        )
      return ok(`Redis ${version} answers; nothing in it needs to be kept.`)
    } catch (error) {
      return problem(`Redis does not answer: ${reasonOf(error)}.`, 'correct REDIS_URL, or start Redis')
    }
  },
}

const mail: Check = {
  name: 'mail',
  run: async ({ config: { SMTP_URL: url, FRONTEND_URL, DATA_DIR } }) => {
    if (!url) {
      const found = `SMTP_URL is not set: mails are written to files in ${DATA_DIR}/mail.`
      if (isLoopback(new URL(FRONTEND_URL).hostname)) return ok(found)
      return warning(found, 'SMTP_URL=smtp://user:password@mail.example.com:587')
    }
    const { host, username } = new URL(url)
    try {
      if (await tryMailServer(url))
        return ok(`The mail server ${host} takes mails over TLS${username ? ' with this password' : ''}.`)
      const fix = 'use a mail server with STARTTLS on port 587, or smtps:// on port 465'
      if (isLoopback(new URL(url).hostname)) return ok(`The mail server ${host} on this machine answers.`)
      return username
        ? problem(`The mail server ${host} offers no TLS: the password travels unencrypted.`, fix)
        : warning(`The mail server ${host} offers no TLS: mails and their links travel unencrypted.`, fix)
    } catch (error) {
      const { code } = error as { code?: string }
      return problem(
        `The mail server ${host} ${code === 'EAUTH' ? 'refuses user and password' : 'cannot be used'}: ${reasonOf(error)}.`,
        code === 'EAUTH'
          ? 'correct user and password in SMTP_URL'
          : 'correct SMTP_URL, or allow the connection in the firewall',
      )
    }
  },
}

const sender: Check = {
  name: 'mail-sender',
  run: async ({ config: { MAIL_FROM, SMTP_URL } }) => {
    const domain = (MAIL_FROM.split('@').at(-1) ?? '').replace('>', '').trim()
    if (SMTP_URL && (isLoopback(domain) || /(?:^|\.)example(?:\.\w+)?$/.test(domain)))
      return warning(
        `Mails are sent from ${MAIL_FROM}: receivers refuse that domain.`,
        'MAIL_FROM="Sortie <no-reply@your.domain>"',
      )
    return ok(`Mails are sent from ${MAIL_FROM}.`)
  },
}

const dns: Check = {
  name: 'dns',
  run: async ({ config: { FRONTEND_URL, DNS_SERVERS } }) => {
    const { hostname } = new URL(FRONTEND_URL)
    if (DNS_SERVERS) {
      const reason = await nameServerProblem(DNS_SERVERS)
      if (reason !== undefined)
        return problem(`No name server of DNS_SERVERS answers (${reason}).`, 'correct DNS_SERVERS, or remove it')
    }
    try {
      const addresses = await addressesOf(hostname)
      return ok(`${hostname} is ${addresses.slice(0, 3).join(', ')}.`)
    } catch (error) {
      return problem(
        `${hostname} does not resolve on this machine (${(error as NodeJS.ErrnoException).code}).`,
        'correct FRONTEND_URL, or the name servers of the system (/etc/resolv.conf)',
      )
    }
  },
}

const metadata: Check = {
  name: 'egress-metadata',
  run: async ({ config }) => {
    const outbound = createOutbound(config, CONNECTS_TO_NOBODY)
    const open: string[] = []
    for (const address of METADATA) if ((await outbound.evaluate(address, 80)).allowed) open.push(address)
    if (open.length === 0) return ok('Scans and requests cannot reach the metadata service of clouds.')
    return problem(
      `Scans and requests may reach the metadata service of clouds (${open.join(', ')}): it hands out credentials of this machine.`,
      `remove ${open.join(', ')} from EGRESS_ALLOW`,
    )
  },
}

/** Prefix lengths below which a range is most of a network that people use. */
const WIDE = { 4: 8, 6: 16 } as const

const egress: Check = {
  name: 'egress',
  run: async ({ config }) => {
    const { EGRESS_ALLOW: allowed = [] } = config
    const isWide = (entry: string) => {
      const [address = '', bits] = entry.split('/')
      return bits !== undefined && Number(bits) <= WIDE[address.includes(':') ? 6 : 4]
    }
    const outbound = createOutbound(config, CONNECTS_TO_NOBODY)
    const own: string[] = []
    for (const port of new Set(ownPorts(config))) {
      const decision = await outbound.evaluate('127.0.0.1', port).catch((error) => {
        if (error instanceof UnresolvedError) return undefined
        throw error
      })
      if (decision?.allowed) own.push(`127.0.0.1:${port}`)
    }
    if (own.length > 0)
      return problem(
        `Scans and requests may reach this server's own services (${own.join(', ')}).`,
        `remove ${own.join(', ')} from EGRESS_ALLOW`,
      )
    const wide = allowed.filter(isWide)
    if (wide.length > 0)
      return warning(
        `EGRESS_ALLOW opens whole networks to scans and requests: ${wide.join(', ')}.`,
        'name the ranges of engagements in EGRESS_ALLOW, and what must never be reached in EGRESS_DENY',
      )
    return ok(allowed.length === 0 ? 'Only public addresses.' : `Public addresses, and ${allowed.join(', ')}.`)
  },
}

export const SERVICE_CHECKS: readonly Check[] = [redis, mail, sender, dns, egress, metadata]
