import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { startOf } from '../../src/features/scans/inputs/inputs.ts'
import { createFindHosts } from '../../src/features/scans/scanners/names/hosts.ts'
import { argumentsOf } from '../../src/features/scans/scanners/nmap/nmap-process.ts'
import { readPorts } from '../../src/features/scans/scanners/ports/port-ranges.ts'
import { isRefusal } from '../../src/features/scope/rules/host.ts'
import { recognise } from '../../src/features/scope/rules/recognise.ts'
import { orderKeyOf } from '../../src/features/targets/target-keys.ts'
import { isNightly } from '../support/app/nightly.ts'
import { hostileTargets } from '../support/scans/hostile-targets.ts'
import { isWithinGrammar } from '../support/scans/nmap-grammar.ts'
import { testReach } from '../support/scans/scan-reach.ts'

const PORTS = readPorts('top-100')

test('N1, L7: of hostile targets accepted ones become an argument of nmap as an address; nothing else does', async () => {
  const { reach } = testReach()
  // Name servers answer with addresses.
  const evaluate = async ({ host, address }: { host: string; address?: string | undefined }) => [
    isIP(host) ? host : (address ?? '127.0.0.1'),
  ]
  let taken = 0
  let tried = 0
  const outside: string[][] = []
  for (const [index, line] of hostileTargets(isNightly ? 200_000 : 40_000).entries()) {
    const found = recognise(line.trim())
    if (isRefusal(found)) continue
    taken++
    // One for each: an address of several names is examined only once.
    const findHosts = createFindHosts(PORTS, { ...reach, evaluate })
    const start = startOf({ kind: found.kind, canonical: found.canonical, order_key: orderKeyOf(found) })
    const hosts = start ? (await findHosts(start.input)).hosts : []
    for (const { address, ports } of hosts) {
      tried++
      const args = argumentsOf({
        addresses: [address],
        ports,
        closedPorts: { tcp: [5432], udp: [5432] },
        protocol: index % 2 ? 'udp' : 'tcp',
        flags: ['-T4'],
        atOnce: 100,
        discovers: index % 3 > 0,
      })
      if (!isWithinGrammar(args)) outside.push(args)
    }
  }
  expect([taken, tried].map((count) => count > 2_000)).toEqual([true, true])
  expect(outside).toEqual([])
})
