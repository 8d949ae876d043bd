import { readConfig } from '../../platform/config.ts'
import { UnresolvedError } from '../../platform/outbound/names.ts'
import { createOutbound, type EgressDecision } from '../../platform/outbound/outbound.ts'
import { type Command, exactly, print, UsageError } from '../command-line.ts'

const EXIT_REFUSED = 1
/** It only evaluates the policy and queries name servers: allowed in safe mode too. */
const CONNECTS_TO_NOBODY = { requireLive: async () => undefined }

/** Reports whether the egress policy lets scans and requests reach a host, without sending anything to it. */
export const egress: Command = async ({ operands }) => {
  const [target] = exactly(operands, 1)
  const { host, port } = splitPort(target)
  const outbound = createOutbound(readConfig(), CONNECTS_TO_NOBODY)
  const decision = await outbound.evaluate(host, port).catch((error) => {
    if (error instanceof UnresolvedError)
      return { host, port, allowed: false, rule: 'the name does not resolve to an address', addresses: [] }
    throw error
  })
  print(`${decision.allowed ? 'allowed' : 'refused'}: ${decision.rule}`)
  for (const line of details(host, decision)) print(line)
  if (!decision.allowed) process.exitCode = EXIT_REFUSED
}

/** The addresses behind a verdict on a name or another spelling, and the rules that a missing port leaves out. */
const details = (typed: string, { port, addresses }: EgressDecision): string[] => [
  ...addresses
    .filter(({ address }) => ![address, `[${address}]`].includes(typed))
    .map(({ address, allowed, rule }) => `  ${address}: ${allowed ? 'allowed' : 'refused'}, ${rule}`),
  ...(port === undefined ? ['  without a port: entries with one, and ports of this server itself, are left out'] : []),
]

/** @throws UsageError for an invalid port */
const splitPort = (target: string): { host: string; port: number | undefined } => {
  const [, host, text] = /^(\[[^\]]*\]|[^:]*):([^:]*)$/.exec(target) ?? []
  if (host === undefined || text === undefined) return { host: target, port: undefined }
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new UsageError('a port is a number from 1 to 65535')
  return { host, port }
}
